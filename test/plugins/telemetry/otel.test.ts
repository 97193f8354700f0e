import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../plugins/telemetry/src/config/settings.js';
import { contribution } from '../../../plugins/telemetry/src/otel.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { LogEntry } from '../../../src/domain/log-entry.js';
import type { RunSpan, RunTrace, TracePart } from '../../../src/domain/ports/run-trace.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { type OtlpReceiver, type OtlpRequest, startOtlpReceiver } from '../../support/components/otlp.js';

const settings = (env: Readonly<Record<string, string>>, config: JsonObject = {}) =>
  readSettings(config, createTestContext({ env }).secrets);
const never = new AbortController().signal;

const TRACE: Omit<RunTrace, 'parts'> = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  hasParent: false,
  isSampled: true,
  end: 'failed',
  durationMs: 2000,
  runId: '0123456789ab',
  topology: 'review',
  version: '1.0.0',
  correlationId: null,
  workspaceId: 'shop',
  labels: { priority: '3' },
};
const PART: TracePart = {
  organisation: 'acme',
  team: 'web',
  annotations: { stage: 'beta' },
  spans: [
    {
      spanId: '00000000000000aa',
      parentSpanId: null,
      startMs: 1000,
      endMs: 3500.5,
      error: 'gate_rejected',
      of: { type: 'submit', source: 'trigger:nightly' },
    },
    {
      spanId: '00000000000000bb',
      parentSpanId: '00000000000000aa',
      startMs: 1000,
      endMs: 3000,
      error: null,
      of: { type: 'run', status: 'failed' },
    },
  ],
  decisions: { allow: 0, deny: 2 },
};
const NO_TOKENS = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, costUsd: null };
const agent = (n: number): RunSpan['of'] => ({
  type: 'agent',
  agentId: 'boss',
  activation: `root/${n}`,
  role: 'worker',
  executor: 'model',
  status: 'ok',
  usage: NO_TOKENS,
});
const spanIdsOf = ({ body }: OtlpRequest): readonly string[] =>
  (body?.resourceSpans ?? []).flatMap(({ scopeSpans }) =>
    (scopeSpans ?? []).flatMap(({ spans }) => spans.map(({ spanId }) => spanId)),
  );
// the sink reads no more of it
const entry = (id: string): LogEntry => ({ event_id: id }) as LogEntry;
const runOf = (over: Partial<RunTrace> = {}, given: readonly TracePart[] = [PART]) => ({
  links: null,
  traceParent: async () => null,
  trace: async () => ({
    ...TRACE,
    parts: async function* () {
      yield* given;
    },
    ...over,
  }),
});

async function open(config: JsonObject = {}, env: Readonly<Record<string, string>> = {}) {
  const receiver: OtlpReceiver = await startOtlpReceiver();
  const context = createTestContext({
    fetch: globalThis.fetch,
    env: { KIT_OTEL_ENDPOINT: receiver.url, ...env },
    credentials: { otlp: 'the bearer' },
  });
  return { receiver, sink: await contribution.create(config, context) };
}

describe('the settings of telemetry', () => {
  it.each([
    ['http://localhost:4318', 'http://localhost:4318'],
    ['http://localhost:4318/', 'http://localhost:4318'],
    ['http://localhost:4318/v1/traces', 'http://localhost:4318'],
    ['https://otlp.example/base/v1/traces/', 'https://otlp.example/base'],
    ['https://otlp.example/base', 'https://otlp.example/base'],
  ])('take %s for %s', (endpoint, baseUrl) => {
    expect(settings({ KIT_OTEL_ENDPOINT: endpoint }).baseUrl).toBe(baseUrl);
    expect(settings({}, { endpoint }).baseUrl).toBe(baseUrl);
  });

  it('come from the environment first, then from the file, then from defaults', () => {
    const file = {
      exporter: 'console',
      endpoint: 'http://file:1',
      headers: { 'X-A': 'file', 'x-b': 'file' },
      service_name: 'file',
    };

    expect(settings({})).toMatchObject({
      exporter: 'otlp',
      baseUrl: 'http://localhost:4318',
      protocol: 'protobuf',
      serviceName: 'kit',
      sampleRate: 1,
      metricsEveryMs: 60_000,
    });
    expect(settings({}, file)).toMatchObject({
      exporter: 'console',
      baseUrl: 'http://file:1',
      headers: { 'x-a': 'file', 'x-b': 'file' },
      serviceName: 'file',
    });
    expect(
      settings(
        {
          KIT_OTEL_EXPORTER: 'otlp',
          KIT_OTEL_ENDPOINT: 'http://env:2',
          KIT_OTEL_HEADERS: 'x-a=a%20b%2Cc, x-c = 1=2',
          OTEL_RESOURCE_ATTRIBUTES: 'service.name=attr,region=eu',
        },
        file,
      ),
    ).toMatchObject({
      exporter: 'otlp',
      baseUrl: 'http://env:2',
      headers: { 'x-a': 'a b,c', 'x-b': 'file', 'x-c': '1=2' },
      serviceName: 'attr',
      attributes: { region: 'eu' },
    });
    expect(settings({ OTEL_SERVICE_NAME: 'named', OTEL_RESOURCE_ATTRIBUTES: 'service.name=attr' }).serviceName).toBe(
      'named',
    );
  });

  it.each([
    ['KIT_OTEL_HEADERS', 'bad name=hunter2'],
    ['KIT_OTEL_HEADERS', 'x-a=hunter2%0Ainjected'],
    ['KIT_OTEL_HEADERS', 'x-a=%E0%A4%A-hunter2'],
    ['KIT_OTEL_ENDPOINT', 'ftp://hunter2'],
    ['KIT_OTEL_ENDPOINT', 'http://a?key=hunter2'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '0'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'hunter2'],
  ])('refuse %s=%s by name and never with its value', (name, value) => {
    const read = () => settings({ [name]: value });

    expect(read).toThrow(
      expect.objectContaining({ code: 'KIT_ENV_INVALID', message: expect.stringContaining(`${name} `) }),
    );
    expect(read).not.toThrow(/hunter2/);
  });
});

describe('the sink otel', () => {
  it('sends what it is told, with the credential that the file names and the attributes of its owner', async () => {
    const { sink, receiver } = await open({ credentials_ref: 'otlp' });

    expect(await sink.deliver(entry('e-1'), never, runOf())).toEqual({ kind: 'delivered' });
    const [root, work] = receiver.spans();
    expect(receiver.requests[0]?.headers.authorization).toBe('Bearer the bearer');
    expect(root).toMatchObject({
      name: 'run.submit review',
      parentSpanId: '',
      kind: 2,
      startMs: 1000,
      endMs: 3500.5,
      status: { code: 2, message: 'gate_rejected' },
      attributes: { 'kit.door': 'trigger:nightly', 'kit.label.priority': '3', 'error.type': 'gate_rejected' },
      resource: {
        'kit.organisation': 'acme',
        'kit.team': 'web',
        'kit.annotation.stage': 'beta',
        'kit.workspace.id': 'shop',
      },
    });
    expect(work).toMatchObject({ name: 'topology.run', parentSpanId: root?.spanId, status: { code: 0 } });
  });

  it.each([
    [429, 'failed'],
    [503, 'failed'],
    [400, 'rejected'],
    [307, 'rejected'],
  ])('takes %i for %s', async (status, kind) => {
    const { sink, receiver } = await open();
    await receiver.behave({ status });

    expect(await sink.deliver(entry('e-1'), never, runOf())).toEqual({
      kind,
      detail: `the receiver answered ${status}`,
    });
  });

  it('counts a run once however often its event comes, and the figures of the queue as they are', async () => {
    const { sink, receiver } = await open();
    await receiver.behave({ status: 503 });
    await sink.deliver(entry('e-1'), never, runOf());
    await receiver.behave({});
    await sink.deliver(entry('e-1'), never, runOf());
    const figure = (name: string, value: number, labels = {}) => ({
      name,
      help: '',
      kind: 'gauge' as const,
      samples: [{ labels, value }],
    });
    await sink.measure?.(
      [
        figure('kit_queue_depth', 7),
        figure('kit_queue_oldest_seconds', 2.5),
        figure('kit_jobs', 4, { status: 'running' }),
      ],
      never,
    );

    const value = (metric: string) => receiver.points().find((point) => point.metric === metric)?.value;
    expect(
      ['runs.total', 'governance.decisions.total', 'queue.depth', 'queue.oldest_age', 'runs.active'].map(value),
    ).toEqual([1, 2, 7, 2.5, 4]);
    expect(receiver.points().find(({ metric }) => metric === 'runs.total')?.attributes).toEqual({
      'kit.topology': 'review',
      'kit.run.status': 'failed',
    });
    await sink.dispose?.();
  });

  it('exports of runs that nobody sampled the share that it is told, and what the caller decided otherwise; it counts all', async () => {
    const { sink, receiver } = await open({ sample_rate: 0.5 });
    const low = { traceId: `${'a'.repeat(19)}${'1'.repeat(13)}` };
    const high = { traceId: `${'a'.repeat(19)}${'f'.repeat(13)}` };
    await sink.deliver(entry('e-1'), never, runOf(high));
    await sink.deliver(entry('e-2'), never, runOf({ ...low, hasParent: true, isSampled: false }));
    expect(receiver.requests).toHaveLength(0);

    await sink.deliver(entry('e-3'), never, runOf(low));
    await sink.deliver(entry('e-4'), never, runOf({ ...high, hasParent: true, isSampled: true }));
    await sink.measure?.([], never);

    expect([...new Set(receiver.spans().map(({ traceId }) => traceId))]).toEqual([low.traceId, high.traceId]);
    expect(receiver.points().find(({ metric }) => metric === 'runs.total')?.value).toBe(4);
  });

  it('sends a long trace in several requests, and after a failure only what was not taken; each part counts once', async () => {
    const { sink, receiver } = await open();
    const part = (name: string, answer: number): TracePart => ({
      ...PART,
      spans: PART.spans.map((span) => ({ ...span, spanId: `${name}${span.spanId.slice(1)}`, of: agent(answer) })),
      decisions: { allow: 1, deny: 0 },
    });
    const parts = [part('1', 1), part('2', 2), part('3', 3), { ...PART, spans: [] }];
    let asked = 0;
    const breaking = runOf({
      parts: async function* () {
        for (const [index, one] of parts.entries()) {
          asked += 1;
          if (index > 0) await receiver.behave({ status: 503 });
          yield one;
        }
      },
    });

    expect(await sink.deliver(entry('e-1'), never, breaking)).toEqual({
      kind: 'failed',
      detail: 'the receiver answered 503',
    });
    expect([asked, receiver.requests.length]).toEqual([4, 2]);
    await receiver.behave({});
    expect(await sink.deliver(entry('e-1'), never, runOf({}, parts))).toEqual({ kind: 'delivered' });
    await sink.measure?.([], never);

    const ids = receiver.requests
      .filter(({ signal }) => signal === 'traces')
      .map((request) => spanIdsOf(request)[0]?.[0]);
    expect(ids).toEqual(['1', '2', '2', '3']);
    const value = (metric: string) => receiver.points().find((point) => point.metric === metric)?.value;
    expect(['runs.total', 'agent.steps.total'].map(value)).toEqual([1, 6]);
    expect(
      receiver
        .points()
        .filter(({ metric }) => metric === 'governance.decisions.total')
        .map((point) => point.value),
    ).toEqual([3, 2]);
  });

  it('counts what a run did that it does not export', async () => {
    const { sink, receiver } = await open({ sample_rate: 0 });

    expect(await sink.deliver(entry('e-1'), never, runOf())).toEqual({ kind: 'delivered' });
    await sink.measure?.([], never);

    expect(receiver.spans()).toEqual([]);
    const value = (metric: string) => receiver.points().find((point) => point.metric === metric)?.value;
    expect(['runs.total', 'governance.decisions.total'].map(value)).toEqual([1, 2]);
  });

  it('says nothing of an event that belongs to no run', async () => {
    const { sink, receiver } = await open();

    expect(
      await sink.deliver(entry('e-1'), never, { links: null, traceParent: async () => null, trace: async () => null }),
    ).toEqual({ kind: 'delivered' });
    expect(receiver.requests).toEqual([]);
  });
});
