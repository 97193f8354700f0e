import { expect, it, onTestFinished, vi } from 'vitest';
import { spanIdFrom } from '../../../src/lib/trace-context.js';
import { type OtlpReceiver, startOtlpReceiver } from '../../support/components/otlp.js';
import { openReceiver } from '../../support/http/receiver.js';
import { faultsOf, pathsOf } from '../../support/telemetry/span-tree.js';
import {
  openServedWorld,
  type Served,
  type ServedWorld,
  STORES,
  type Store,
  sign,
  WAIT,
} from '../survival/served-world.js';

const OUTSIDE = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const TRACEPARENT = `00-${OUTSIDE.traceId}-${OUTSIDE.spanId}-01`;

const open = async (
  store: Store,
  workspace = '',
): Promise<{ readonly world: ServedWorld; readonly receiver: OtlpReceiver }> => {
  const receiver = await startOtlpReceiver();
  const env = { KIT_OTEL_EXPORTER: 'otlp', KIT_OTEL_ENDPOINT: receiver.url, OTEL_METRIC_EXPORT_INTERVAL: '200' };
  return { world: await openServedWorld(store, workspace, {}, env), receiver };
};

/** Submits with the trace of a caller. */
async function submitTraced({ url }: Served, topology: string, input: string): Promise<string> {
  const answer = await fetch(`${url}/run/${topology}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: TRACEPARENT },
    body: JSON.stringify({ input }),
  });
  return ((await answer.json()) as { readonly id: string }).id;
}

const spansOf = (receiver: OtlpReceiver, run: string) =>
  receiver.spans().filter(({ attributes }) => attributes['kit.run.id'] === run);
/** Its root has come, and with it everything below. */
const whole = (receiver: OtlpReceiver, run: string) =>
  vi.waitFor(() => expect(spansOf(receiver, run).some(({ name }) => name.startsWith('run.submit'))).toBe(true), WAIT);

it.each(STORES)(
  'a run over HTTP that parks and goes on is one tree below its caller over %s, and is pushed with its trace',
  async (store) => {
    const pushed = await openReceiver();
    const { world, receiver } = await open(
      store,
      `events: [{ sink: webhook, url: "${pushed.url}", types: [run.ended] }]\n`,
    );
    const server = await world.serve();

    const run = await submitTraced(server, 'gated', 'job-1');
    await server.until(run, 'deferred');
    await vi.waitFor(() => expect(spansOf(receiver, run).map(({ name }) => name)).toContain('run.attempt'), WAIT);
    expect(spansOf(receiver, run).map(({ name }) => name)).not.toContain('agent.step.writer');
    expect((await sign(world, run)).code).toBe(0);
    await server.until(run, 'completed');
    await whole(receiver, run);

    const spans = spansOf(receiver, run);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([OUTSIDE.traceId]));
    expect(faultsOf(spans, OUTSIDE.spanId)).toEqual([]);
    expect(pathsOf(spans)).toEqual([
      'run.submit gated',
      'run.submit gated > run.queue',
      'run.submit gated > topology.run',
      'run.submit gated > topology.run > agent.step.writer',
      'run.submit gated > topology.run > agent.step.writer > chat m1',
      'run.submit gated > topology.run > agent.step.writer > gate.wait',
      'run.submit gated > topology.run > run.attempt',
      'run.submit gated > topology.run > run.attempt',
      'run.submit gated > topology.run > run.queue',
    ]);
    expect(spans.find(({ name }) => name === 'run.submit gated')).toMatchObject({
      kind: 2,
      attributes: { 'kit.door': 'serve' },
    });
    expect(
      spans.filter(({ name }) => name === 'run.attempt').map(({ attributes }) => attributes['kit.attempt']),
    ).toEqual([1, 2]);
    expect(spans.find(({ name }) => name === 'gate.wait')?.attributes).toMatchObject({
      'kit.wait.outcome': 'approved',
      'kit.wait.kind': 'gate',
    });
    await vi.waitFor(() => expect(pushed.received).toHaveLength(1), WAIT);
    expect(pushed.received[0]?.headers.traceparent).toBe(`00-${OUTSIDE.traceId}-${spanIdFrom(run, 'run')}-01`);

    const latest = (metric: string) => receiver.points().findLast((point) => point.metric === metric);
    // The gauges of the export that tells of the end may be older than the end.
    await vi.waitFor(() => {
      expect(latest('approval.wait')).toMatchObject({
        unit: 's',
        count: 1,
        attributes: { 'kit.wait.outcome': 'approved' },
      });
      expect(latest('runs.total')).toMatchObject({ value: 1, attributes: { 'kit.run.status': 'completed' } });
      for (const gauge of ['queue.depth', 'queue.oldest_age', 'runs.active'])
        expect(latest(gauge)).toMatchObject({ value: 0 });
    }, WAIT);
    expect(server.stderr()).not.toContain('warn');
  },
  120_000,
);

it.each(STORES)(
  'a run that another server takes over is one tree over %s',
  async (store) => {
    const { world, receiver } = await open(store);
    const first = await world.serve();
    world.model.hold();
    const run = await first.submit('talk', 'job-1');
    await vi.waitFor(() => expect(world.model.calls()).toMatchObject({ 'helper job-1': 1 }), WAIT);
    first.kill('SIGKILL');
    await first.ended;
    if (world.database !== null) {
      await world.database.deserted();
      await world.database.elapse(120_000);
    }
    world.model.release();

    const second = await world.serve();
    await second.until(run, 'completed');
    await whole(receiver, run);

    const spans = spansOf(receiver, run);
    expect(faultsOf(spans)).toEqual([]);
    expect(pathsOf(spans).filter((path) => path.includes('chat'))).toEqual([
      'run.submit talk > topology.run > agent.step.boss > agent.step.helper > chat m1',
      'run.submit talk > topology.run > agent.step.boss > chat m1',
      'run.submit talk > topology.run > agent.step.boss > chat m1',
    ]);
    expect(
      spans
        .filter(({ name }) => name === 'run.attempt')
        .map(({ attributes }) => [attributes['kit.attempt'], attributes['error.type']]),
    ).toEqual([
      [1, 'lease_lost'],
      [2, undefined],
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  },
  120_000,
);

it('of two servers and a kit run one tells of each run, and a receiver that is gone delays none', async () => {
  const { world, receiver } = await open('sqlite');
  const [one, two] = [await world.serve(), await world.serve()];

  const runs = await Promise.all([1, 2, 3, 4].map((n) => (n % 2 === 0 ? one : two).submit('talk', `job-${n}`)));
  const own = await world.kit('run', world.dir, 'talk', '--input', 'job-5', '--json');
  for (const run of runs) await one.until(run, 'completed');
  for (const run of [...runs, String(own.lines().at(-1)?.id)]) {
    await whole(receiver, run);
    expect(faultsOf(spansOf(receiver, run))).toEqual([]);
  }

  await receiver.behave({ hang: true });
  const beganMs = performance.now();
  const late = await one.submit('talk', 'job-6');
  await one.until(late, 'completed');
  process.stdout.write(`a run beside a receiver that hangs: ${(performance.now() - beganMs).toFixed(0)} ms\n`);
  const metrics = async () => Promise.all([one, two].map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  // The receiver has what it is sent before the server has its answer.
  await expect
    .poll(async () => (await metrics()).join(''))
    .toMatch(/kit_sink_delivered_total\{sink="kit\.sink-otel#0"\} 5/);
  onTestFinished(() => receiver.behave({}));
  one.kill('SIGTERM');
  two.kill('SIGTERM');
  expect([await one.ended, await two.ended]).toEqual([0, 0]);
}, 120_000);

it('every entry point takes the trace of its caller along: a hook, a conversation, an inbound event; one that is none is ignored', async () => {
  const listener = await openReceiver();
  const { world, receiver } = await open('sqlite', `server: { signal: { url: "${listener.url}" } }\n`);
  const server = await world.serve();
  const call = async (path: string, body: object, traceparent: string) => {
    const headers = { 'content-type': 'application/json', traceparent };
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { run: (answer.headers.get('location') ?? '').replace('/jobs/', ''), text: await answer.text() };
  };

  const hook = await call('/hooks/talk', { text: 'job-1' }, TRACEPARENT);
  const { id } = JSON.parse((await call('/conversations', { topology: 'talk' }, TRACEPARENT)).text) as {
    readonly id: string;
  };
  const turn = await call(`/conversations/${id}/messages`, { message: 'job-2' }, TRACEPARENT);
  const odd = await call('/hooks/talk', { text: 'job-3' }, `${TRACEPARENT}-more`);
  const unsampled = await call('/hooks/talk', { text: 'job-4' }, TRACEPARENT.replace(/01$/, '00'));
  for (const traceparent of [TRACEPARENT, 'none'])
    await call('/events/signal', { correlation_id: 'order-7', event: 'paid' }, traceparent);

  for (const { run } of [hook, turn, odd]) await whole(receiver, run);
  expect(faultsOf(spansOf(receiver, hook.run), OUTSIDE.spanId)).toEqual([]);
  expect(faultsOf(spansOf(receiver, turn.run), OUTSIDE.spanId)).toEqual([]);
  expect(faultsOf(spansOf(receiver, odd.run))).toEqual([]);
  expect(spansOf(receiver, turn.run).find(({ name }) => name.startsWith('run.submit'))?.attributes).toMatchObject({
    'kit.door': 'chat',
  });
  expect(listener.received.map(({ headers }) => headers.traceparent)).toEqual([TRACEPARENT, undefined]);
  await server.until(unsampled.run, 'completed');
  expect(spansOf(receiver, unsampled.run)).toEqual([]);
}, 120_000);
