import type { MetricsApp, ServeApp } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import type { WireHealthy, WireNotHealthy } from '@kit-run/kit/wire';
import { metricsText } from './metrics-text.js';
import { HEALTH_SCHEMA, METRICS_SCHEMA, OPENAPI_SCHEMA } from './schemas.js';

interface Used {
  readonly metrics: Pick<MetricsApp, 'read'>;
  readonly serve: Pick<ServeApp, 'current' | 'role' | 'storeState'>;
}

/** What describes the server itself. */
const mount: HttpMount<Used> = {
  register: (server, { app, workspace }) => {
    const { metrics, serve } = app;
    let document: string | undefined;
    server.get<{ Querystring: { readonly live?: string } }>(
      '/health',
      { config: { tier: 'public', isAlwaysOpen: true, mayAnswer: [503] }, schema: HEALTH_SCHEMA },
      async (request, reply) => {
        const state = server.serving.state();
        const status = state !== 'ready' ? state : request.query.live === undefined ? await serve.storeState() : 'ok';
        if (status !== 'ok')
          return reply
            .code(503)
            .header('cache-control', 'no-store')
            .send({ status, runtime_version: server.serving.version } satisfies WireNotHealthy);
        return {
          status: 'ok',
          workspace: serve.current().id,
          role: serve.role(),
          runtime_version: server.serving.version,
        } satisfies WireHealthy;
      },
    );
    server.get('/metrics', { schema: METRICS_SCHEMA }, async (_request, reply) => {
      const text = await metricsText(server.serving.metrics, await metrics.read(workspace));
      return reply.type(server.serving.metrics.contentType).send(text);
    });
    server.get('/openapi.json', { schema: OPENAPI_SCHEMA }, async (_request, reply) => {
      document ??= JSON.stringify(server.swagger());
      return reply.type('application/json').send(document);
    });
  },
};

export const contribution = defineHttpMount({ create: () => ({ ...mount }) });
