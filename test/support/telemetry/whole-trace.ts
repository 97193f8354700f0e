import type { StoredEvent } from '../../../src/domain/events.js';
import type { RunTrace, TracePart } from '../../../src/domain/ports/run-trace.js';
import type { ClaimRow } from '../../../src/view/telemetry/run-drafts.js';
import { type TracedJob, traceHead, traceParts } from '../../../src/view/telemetry/run-trace.js';
import { closesSegment } from '../../../src/view/telemetry/segment.js';

/** A trace with everything that its parts hold. */
export type WholeTrace = Omit<RunTrace, 'parts'> & TracePart;

/** Parts of one trace put together; null: there are none. */
export async function joined(
  trace: Omit<RunTrace, 'parts'>,
  parts: AsyncIterable<TracePart>,
): Promise<WholeTrace | null> {
  const all: TracePart[] = [];
  for await (const part of parts) all.push(part);
  const [first] = all;
  if (first === undefined) return null;
  const sum = (what: 'allow' | 'deny') => all.reduce((n, { decisions }) => n + decisions[what], 0);
  return {
    ...trace,
    ...first,
    spans: all.flatMap(({ spans }) => spans),
    decisions: { allow: sum('allow'), deny: sum('deny') },
  };
}

/** What is told when the last of these events has come. */
export async function wholeTrace(
  job: TracedJob & ClaimRow,
  events: readonly StoredEvent[],
): Promise<WholeTrace | null> {
  const last = events.at(-1);
  if (last === undefined) return null;
  const afterSeq = events.slice(0, -1).findLast(closesSegment)?.seq ?? 0;
  return joined(traceHead(job, last), traceParts({ job, last, afterSeq }, streamed(events)));
}

async function* streamed(events: readonly StoredEvent[]): AsyncGenerator<StoredEvent> {
  yield* events;
}
