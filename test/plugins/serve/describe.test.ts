import { describe, expect, it, onTestFinished } from 'vitest';
import { contribution as serverGroup } from '../../../plugins/serve/src/mounts/server/mount.js';
import { createServer, type ServerParts } from '../../../plugins/serve/src/server/create-server.js';
import { createLifecycle } from '../../../plugins/serve/src/server/lifecycle.js';
import { documentPath, securitySchemeOf } from '../../../plugins/serve/src/server/openapi.js';
import { createMetricsApp } from '../../../src/app/serve/create-metrics-app.js';
import { fleetMetrics, queueMetrics } from '../../../src/app/serve/queue-metrics.js';
import { slotMetrics, storeMetrics } from '../../../src/app/serve/serving-metrics.js';
import { KitError } from '../../../src/domain/errors.js';
import type { QueueStats } from '../../../src/domain/ports/serving.js';
import { seenOf } from '../../support/fleet-samples.js';
import { createResponseCheck } from '../../support/http/checked-inject.js';
import { sampleContribution } from '../../support/http/sample-mount.js';
import { as, groupOf, serveParts } from '../../support/http/serve-group.js';

const NEVER_USED = { queueStats: async () => Promise.reject(new Error('not asked')), jobCounts: async () => ({}) };

function appOf(metrics = createMetricsApp([], () => {})) {
  return { metrics, serve: { current: () => ({ id: 'shop' }), role: () => 'api', storeState: async () => 'ok' } };
}

async function served(parts: Partial<ServerParts> = {}, app: object = appOf()) {
  const own = await groupOf(serverGroup, app, { id: 'kit.http-server', tier: 'read' });
  return serveParts({ version: '1.2.3', groups: [own, await groupOf(sampleContribution, {})], ...parts });
}

describe('GET /health', () => {
  it('says how far the server is to anybody, from its first moment to its last', async () => {
    const lifecycle = createLifecycle('starting');
    const server = await served({ lifecycle });
    const ask = async () => {
      const { statusCode, headers, ...response } = await server.inject('/health');
      return [statusCode, response.json()];
    };
    expect(await ask()).toEqual([503, { status: 'starting', runtime_version: '1.2.3' }]);
    lifecycle.become('ready');
    expect(await ask()).toEqual([200, { status: 'ok', workspace: 'shop', role: 'api', runtime_version: '1.2.3' }]);
    lifecycle.become('stopping');
    expect(await ask()).toEqual([503, { status: 'stopping', runtime_version: '1.2.3' }]);
  });
});

const STATS: QueueStats = {
  queued: 3,
  running: 1,
  outages: { jobs: 0, nextAt: null },
  oldestQueuedAgeMs: 1500,
  queueWaitP50Ms: 100,
  queueWaitP95Ms: 200,
  executionP50Ms: null,
  executionP95Ms: null,
  depthByTopology: Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`t-${n}`, n])),
  sampleSize: 1,
  blocked: [{ jobs: 2, example: 'aaaabbbbcccc', engine: 1, jobClass: 'model', missing: ['x'] }],
};

describe('GET /metrics', () => {
  const metrics = createMetricsApp(
    [
      {
        name: 'store',
        source: storeMetrics({
          openStores: async () => ({
            serving: {
              ...NEVER_USED,
              jobCounts: async (which: string) => (which === 'live' ? { running: 2 } : { completed: 7 }),
            } as never,
          }),
          now: () => 0,
        }),
      },
      { name: 'queue', source: queueMetrics(async () => STATS) },
      {
        name: 'fleet',
        source: fleetMetrics(async () => [
          seenOf({ concurrency: 4, active: 1 }),
          seenOf({ concurrency: 4, active: 2 }),
          seenOf({ kind: 'api', concurrency: 0, active: 0 }),
          seenOf({ isAlive: false }),
        ]),
      },
      { name: 'slots', source: slotMetrics({ role: () => 'api', load: () => ({ active: 2, maxConcurrent: 5 }) }) },
      { name: 'broken', source: () => Promise.reject(new Error('no')) },
    ],
    () => {},
  );

  it('shows requests by pattern, jobs, queue, slots, what others add, and which source failed', async () => {
    const server = await served({}, appOf(metrics));
    const remove = await metrics.add('sinks', () => [
      {
        name: 'kit_sink_dropped_total',
        help: 'Dropped events.',
        kind: 'counter',
        samples: [{ labels: { sink: 'webhook' }, value: 4 }],
      },
      { name: 'kit_sink_empty', help: 'Nothing yet.', kind: 'gauge', samples: [] },
    ]);
    await server.inject({ url: '/things/1', headers: as('read') });
    await server.inject({ url: '/things/2', headers: as('read') });
    const { body } = await server.inject({ url: '/metrics', headers: as('read') });
    const lines = body.split('\n');
    expect(lines).toContain('kit_http_request_duration_seconds_count{method="GET",route="/things/:id",status="200"} 2');
    expect(lines).toContain('kit_jobs{status="running"} 2');
    expect(lines).toContain('kit_jobs{status="completed"} 7');
    expect(lines).toContain('kit_queue_depth 3');
    expect(lines).toContain('kit_queue_oldest_seconds 1.5');
    expect(lines).toContain('kit_queue_running 1');
    expect(lines).toContain('kit_queue_blocked 2');
    expect(lines).toContain('kit_queue_depth_by_topology{topology="t-24"} 24');
    expect(lines).toContain('kit_queue_depth_by_topology{topology="(others)"} 10');
    expect(lines.filter((line) => line.startsWith('kit_queue_depth_by_topology{'))).toHaveLength(21);
    expect(lines).toContain('kit_queue_wait_seconds{quantile="0.95"} 0.2');
    expect(lines.filter((line) => line.startsWith('kit_queue_execution_seconds{'))).toEqual([]);
    expect(lines).toContain('kit_fleet_members{kind="worker",job_class="any"} 2');
    expect(lines).toContain('kit_fleet_members{kind="api",job_class="any"} 1');
    expect(lines).toContain('kit_fleet_slots{kind="worker",job_class="any"} 8');
    expect(lines).toContain('kit_fleet_slots_active{kind="worker",job_class="any"} 3');
    expect(lines).toContain('kit_slots_active 2');
    expect(lines).toContain('kit_sink_dropped_total{sink="webhook"} 4');
    expect(lines).toContain('kit_metrics_source_failed{source="broken"} 1');
    expect(lines).toContain('kit_metrics_source_failed{source="store"} 0');
    expect(body).not.toContain('kit_sink_empty 0');
    expect(body).toMatch(/^process_resident_memory_bytes \d+$/m);
    remove();
    expect((await server.inject({ url: '/metrics', headers: as('read') })).body).not.toContain(
      'kit_sink_dropped_total',
    );
  });

  it('asks the slots of a server that has not started yet without a failure', async () => {
    const notYet = () => {
      throw new KitError('KIT_NOT_READY', 'the server has not started');
    };
    const slots = (load: () => never) => slotMetrics({ role: () => 'all', load });
    const failed: string[] = [];
    const app = createMetricsApp(
      [
        { name: 'slots', source: slots(notYet) },
        { name: 'broken', source: slots(() => expect.fail('another failure')) },
      ],
      (source) => failed.push(source),
    );

    const collected = await app.read('any');

    expect(failed).toEqual(['broken']);
    expect(collected.map(({ name }) => name)).not.toContain('kit_slots');
  });

  it('is for readers, and has no series for what a caller typed', async () => {
    const server = await served();
    expect((await server.inject('/metrics')).statusCode).toBe(401);
    await server.inject({ url: '/typed-by-someone', headers: as('read') });
    await server.inject({ method: 'PROPFIND' as 'GET', url: '/read', headers: as('read') });
    const { body } = await server.inject({ url: '/metrics', headers: as('read') });
    expect(body).not.toContain('typed-by-someone');
    expect(body).not.toContain('PROPFIND');
    expect(body).toContain('route="(none)"');
  });

  it('has nothing of a workspace without a store', async () => {
    const source = storeMetrics({ openStores: async () => null, now: () => 0 });
    expect(await source('/workspace')).toEqual([]);
  });
});

describe('GET /openapi.json', () => {
  it('describes every route, and none that is not there', async () => {
    const server = await served();
    const { openapi, info, paths } = (await server.inject({ url: '/openapi.json', headers: as('read') })).json();
    expect({ openapi, info }).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
    const described = Object.entries(paths as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const mounted = server.serving
      .routes()
      .filter(({ isHidden, method }) => !isHidden && method !== 'HEAD')
      .map(({ method, pattern }) => `${method} ${documentPath(pattern)}`);
    expect(described.sort()).toEqual(mounted.sort());
    expect(described).toContain('GET /things/{id}');
  });

  it('says of each route who may call it, and what it may refuse', async () => {
    const server = await served();
    const { paths, components } = (await server.inject({ url: '/openapi.json', headers: as('read') })).json();
    expect(paths['/full'].get).toMatchObject({ 'x-kit-tier': 'run', security: [{ test: ['serve:run'] }] });
    expect(Object.keys(paths['/full'].get.responses)).toEqual(
      expect.arrayContaining(['200', '401', '404', '422', '429', 'default']),
    );
    expect(paths['/read'].get.responses).not.toHaveProperty('429');
    expect(paths['/health'].get.security).toEqual([]);
    expect(paths['/by-request'].post).toMatchObject({ 'x-kit-tier': 'by-request', security: [{}, { test: [] }] });
    expect(components.securitySchemes).toEqual({ test: { type: 'http', scheme: 'bearer' } });
    expect(components.schemas.Problem.required).toContain('code');
  });

  it('names how callers prove who they are, as the running provider has it', () => {
    expect(securitySchemeOf({ mode: 'none' })).toBeNull();
    expect(securitySchemeOf({ mode: 'api_key' })?.scheme).toEqual({ type: 'http', scheme: 'bearer' });
    expect(securitySchemeOf({ mode: 'jwt', oidc: { issuer: 'https://id.example/' } })?.scheme).toEqual({
      type: 'openIdConnect',
      openIdConnectUrl: 'https://id.example/.well-known/openid-configuration',
    });
  });

  it('is what answers are held against: an unknown status and a body that does not fit are found', async () => {
    const server = await served();
    const check = createResponseCheck((await server.inject({ url: '/openapi.json', headers: as('read') })).json());
    const request = { method: 'GET', url: '/read' };
    const answer = (statusCode: number, body: string, type = 'application/json') =>
      check(request, { statusCode, body, headers: { 'content-type': type } } as never);
    expect(answer(200, '{"by":"alice"}')).toBeNull();
    expect(answer(200, '{"by":1}')).toContain('must be string');
    expect(answer(200, '{}')).toContain('required');
    expect(answer(200, '{"by":"a","more":1}')).toContain('additional');
    expect(answer(200, 'by')).toContain('not JSON');
    expect(answer(200, 'by', 'text/plain')).toContain('text/plain');
    expect(answer(418, '{}')).toContain('status 418');
    expect(answer(500, '{}')).toContain('status 500');
    expect(answer(404, '{"error":"x"}', 'application/problem+json')).toContain('required');
    await expect(server.inject('/teapot')).rejects.toThrow('status 418');
    await expect(server.inject('/bug')).rejects.toThrow('status 500');
  });
});

describe('a server whose schemas cannot be used', () => {
  it('does not start', async () => {
    const broken = {
      register: (scope: import('fastify').FastifyInstance) =>
        void scope.get('/x', { schema: { querystring: { type: 'nonsense' } } }, () => {}),
    };
    const group = { ...(await groupOf(sampleContribution, {})), mount: broken };
    const starting = createServer({
      workspace: '/w',
      auth: {
        authenticate: async () => ({ kind: 'refused', detail: '', error: null }),
        info: () => ({ mode: 'x' }),
        warnings: [],
        identities: null,
      },
      groups: [group],
    });
    await expect(starting).rejects.toThrow(/nonsense|schema/i);
    onTestFinished(() => {});
  });
});
