import type { Metric, MetricsApp, ServeApp } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { HEALTHY, NOT_HEALTHY, type WireHealthy, type WireNotHealthy } from '@kit-run/kit/wire';
import { Counter, Gauge, Registry } from 'prom-client';

/** `GET /health`. */
const HEALTH_SCHEMA = {
  summary: 'Whether the server takes requests.',
  querystring: {
    type: 'object',
    properties: { live: { type: 'string', description: 'Given: whether the process lives, whatever its store says.' } },
  },
  response: { 200: HEALTHY, 503: NOT_HEALTHY },
} as const;

/** `GET /metrics`: the text format of Prometheus. */
const METRICS_SCHEMA = {
  summary: 'Counters of the server in the text format of Prometheus.',
  produces: ['text/plain'],
  response: { 200: { description: 'One line a sample.', content: { 'text/plain': { schema: { type: 'string' } } } } },
} as const;

/** `GET /openapi.json`: what such a document may hold, its own standard says. */
const OPENAPI_SCHEMA = {
  summary: 'This description, as OpenAPI 3.1.',
  response: {
    200: {
      type: 'object',
      description: 'An OpenAPI document.',
      additionalProperties: true,
      required: ['openapi', 'paths'],
    },
  },
} as const;

const BYTES = [
  ['process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss()],
  ['process_heap_used_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed],
] as const;

function put(registry: Registry, { name, help, kind, samples }: Metric): void {
  const labelNames = [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))];
  const options = { name, help, labelNames, registers: [registry] };
  if (kind === 'counter') {
    const counter = new Counter(options);
    for (const { labels, value } of samples) counter.inc(labels, value);
    return;
  }
  const gauge = new Gauge(options);
  for (const { labels, value } of samples) gauge.set(labels, value);
}

/** What the server measured of requests, what the use cases know, and the process, as one text. */
async function metricsText(http: Registry, metrics: readonly Metric[]): Promise<string> {
  const registry = new Registry();
  // Without a sample prom-client would show a series without labels.
  for (const metric of metrics) if (metric.samples.length > 0) put(registry, metric);
  for (const [name, help, read] of BYTES)
    put(registry, { name, help, kind: 'gauge', samples: [{ labels: {}, value: read() }] });
  return `${await http.metrics()}\n${await registry.metrics()}`;
}

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
