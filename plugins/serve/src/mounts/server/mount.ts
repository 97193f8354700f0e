import type { MetricsApp, ServeApp } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount, KitError } from '@kit-run/kit/plugin';
import type { FastifyInstance } from 'fastify';
import { hintForMissing } from '../../server/not-here.js';
import { metricsText } from './metrics-text.js';
import { HEALTH_SCHEMA, METRICS_SCHEMA, OPENAPI_SCHEMA } from './schemas.js';

interface Used {
  readonly metrics: Pick<MetricsApp, 'read'>;
  readonly serve: Pick<ServeApp, 'current' | 'role' | 'storeState'>;
}

/** A path below another route's parameter: without a route of its own, that one would answer. */
const SHADOWED = '/api/skills/check';

function refuseShadowed(server: FastifyInstance): void {
  server.get(SHADOWED, { exposeHeadRoute: false, schema: { hide: true } }, () => {
    throw new KitError('KIT_ROUTE_UNKNOWN', `there is no route GET ${SHADOWED}`, {
      hint: hintForMissing(SHADOWED) ?? '',
    });
  });
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
            .send({ status, runtime_version: server.serving.version });
        return {
          status: 'ok',
          workspace: serve.current().id,
          role: serve.role(),
          runtime_version: server.serving.version,
        };
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
    refuseShadowed(server);
  },
};

export const contribution = defineHttpMount({ create: () => ({ ...mount }) });
