import { expect, it } from 'vitest';
import { contribution } from '../../../../plugins/telemetry/src/otel.js';
import { sinkRun } from '../../../../src/app/events/sinks/sink-run.js';
import type { StoredEvent } from '../../../../src/domain/events.js';
import { createTestContext } from '../../../../src/domain/testing.js';
import { toLogEntry } from '../../../../src/view/schemas/event.js';
import {
  type AnySketch,
  agentCompleted,
  agentStarted,
  executorResult,
  runStarted,
  storedEvents,
} from '../../../support/stored-events.js';
import { longRun } from '../../../support/telemetry/long-run.js';

const EVENTS = 20_000;
const KEY = 'root/h';
const started: AnySketch = {
  type: 'executor.started',
  agentId: 'lead',
  stepKey: KEY,
  payload: {
    kind: 'harness',
    ref: 'codex',
    sandbox: 'worktree',
    base_commit: null,
    not_included: [],
    resumed: false,
    lost: null,
  },
};
const HEAD: readonly AnySketch[] = [
  { type: 'run.started', payload: runStarted },
  { type: 'agent.started', agentId: 'lead', stepKey: 'root', payload: agentStarted('root', null, 'harness:codex') },
  started,
];
const TAIL: readonly AnySketch[] = [
  { type: 'executor.result', agentId: 'lead', stepKey: KEY, payload: executorResult({ ref: 'codex' }) },
  { type: 'agent.completed', agentId: 'lead', stepKey: 'root', payload: agentCompleted('root') },
  { type: 'run.ended', payload: { status: 'completed', reason: null, error: null } },
];

/** A session that says and does something, by turns, 4 KB each time. */
function eventOf(seq: number): StoredEvent {
  const text = `${seq} ${'x'.repeat(4096)}`;
  const talk: AnySketch =
    seq % 2 === 0
      ? { type: 'executor.message', agentId: 'lead', stepKey: KEY, payload: { role: 'assistant', text } }
      : {
          type: 'executor.tool_call',
          agentId: 'lead',
          stepKey: KEY,
          payload: { tool: 'ls', summary: text, status: 'ok' },
        };
  const sketch = HEAD[seq - 1] ?? TAIL[seq - 1 - (EVENTS - TAIL.length)] ?? talk;
  const [event] = storedEvents([sketch]);
  if (event === undefined) throw new Error('no event');
  return { ...event, seq, timestamp: new Date(Date.UTC(2030, 0, 2) + seq).toISOString() };
}

/** What a receiver was sent: the number of spans of each request. */
async function exporter(config: object) {
  const requests: number[] = [];
  const ids = new Set<string>();
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const { resourceSpans } = JSON.parse(Buffer.from(init?.body as Uint8Array).toString()) as {
      resourceSpans: { scopeSpans: { spans: { spanId: string }[] }[] }[];
    };
    const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    for (const { spanId } of spans) ids.add(spanId);
    requests.push(spans.length);
    return new Response('{}');
  };
  const context = createTestContext({ fetch, env: { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' } });
  return { sink: await contribution.create({ ...config }, context), requests, ids };
}

const never = new AbortController().signal;

it('exports a run of 20,000 events of 4 KB in requests of at most 512 spans, and holds two pages of it at most', async () => {
  const run = longRun(EVENTS, eventOf);
  const { sink, requests, ids } = await exporter({});

  expect(await sink.deliver(toLogEntry({ ...run.last, cursor: 'end' }), never, sinkRun(run.source, run.last))).toEqual({
    kind: 'delivered',
  });

  // Tool calls, the session, the agent; the run, its work, its wait and its claim.
  const spans = (EVENTS - HEAD.length - TAIL.length) / 2 + 2 + 4;
  expect([ids.size, requests.reduce((sum, n) => sum + n, 0)]).toEqual([spans, spans]);
  expect(Math.max(...requests)).toBe(512);
  // The page in hand, the one before it, and the first and last event of the run.
  expect(run.mostHeld()).toBeGreaterThan(0);
  expect(run.mostHeld()).toBeLessThanOrEqual(2 * 200 + 2);
}, 60_000);

it('reads a run that is not sampled for its metrics, a page at a time, and sends nothing of it', async () => {
  const run = longRun(EVENTS, eventOf);
  const { sink, requests } = await exporter({ sample_rate: 0 });

  expect(await sink.deliver(toLogEntry({ ...run.last, cursor: 'end' }), never, sinkRun(run.source, run.last))).toEqual({
    kind: 'delivered',
  });

  expect(requests).toEqual([]);
  expect(run.mostHeld()).toBeGreaterThan(0);
  expect(run.mostHeld()).toBeLessThanOrEqual(2 * 200 + 2);
});

it('stops reading a run once its time is over', async () => {
  const run = longRun(EVENTS, eventOf);
  const { sink } = await exporter({});
  const over = new AbortController();
  const reading = sinkRun(
    { ...run.source, events: { ...run.source.events, readRun: readThenStop(run, over) } },
    run.last,
  );

  await expect(sink.deliver(toLogEntry({ ...run.last, cursor: 'end' }), over.signal, reading)).rejects.toThrow(
    'aborted',
  );

  expect(run.reads()).toBe(2);
});

const readThenStop =
  ({ source }: ReturnType<typeof longRun>, over: AbortController): typeof source.events.readRun =>
  async (...asked) => {
    const page = await source.events.readRun(...asked);
    over.abort();
    return page;
  };
