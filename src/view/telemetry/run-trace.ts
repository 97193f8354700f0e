import type { StoredEvent } from '../../domain/events.js';
import type { Job } from '../../domain/job.js';
import { MAX_SPANS, type RunSpan, type RunTrace, type TracePart } from '../../domain/ports/run-trace.js';
import { reportedEnd } from '../../domain/reported-end.js';
import { RUN_SPAN } from '../../domain/trace.js';
import { formatTraceParent, parseTraceParent, spanIdFrom, traceIdFrom } from '../../lib/trace-context.js';
import type { SpanDraft } from './draft.js';
import { createTraceFold, type TraceFold } from './fold.js';
import type { ClaimRow } from './run-drafts.js';
import { type Bounds, type EventOf, msOf } from './segment.js';

/** What of the row a trace tells. */
export type TracedJob = Pick<
  Job,
  'id' | 'topology' | 'version' | 'correlationId' | 'labels' | 'needs' | 'traceParent'
> &
  Omit<ClaimRow, 'isCurrent'>;

/**
 * What a trace tells before any of its events is read: from the row, and the event with which the
 * run parked or ended.
 */
export function traceHead(job: TracedJob, last: StoredEvent): Omit<RunTrace, 'parts'> {
  const context = parseTraceParent(job.traceParent);
  const end = reportedEnd(last);
  return {
    traceId: context?.traceId ?? traceIdFrom(job.id),
    hasParent: context !== null,
    isSampled: context?.isSampled ?? true,
    end: end?.status ?? null,
    // The row is timed by the clock of the database, the event by that of its worker.
    durationMs: end !== null && job.startedAt !== null ? Math.max(0, msOf(last) - Date.parse(job.startedAt)) : null,
    runId: job.id,
    topology: job.topology,
    version: job.version,
    correlationId: job.correlationId,
    workspaceId: job.needs.workspace ?? '',
    labels: job.labels,
  };
}

/**
 * The trace of a run from its events up to the one at which it parked or ended: the spans that have
 * ended since it last did so. A fold of the log and nothing else but what the row tells of claims,
 * so it is the same whoever asks, wherever, and however often: span ids derive from the run and its
 * journal keys. An event is let go of before the next one is asked for.
 */
export async function* traceParts(
  run: Bounds & { readonly job: TracedJob & ClaimRow },
  events: AsyncIterable<StoredEvent>,
): AsyncGenerator<TracePart, void> {
  const { job, afterSeq } = run;
  const root = parseTraceParent(job.traceParent)?.spanId ?? null;
  let fold: TraceFold | null = null;
  let owner: Omit<TracePart, 'spans' | 'decisions'> = NOBODY;
  let spans: RunSpan[] = [];
  let decisions = { allow: 0, deny: 0 };
  const partNow = (): TracePart => {
    const part = { ...owner, spans, decisions };
    spans = [];
    decisions = { allow: 0, deny: 0 };
    return part;
  };
  const fill = function* (drafts: readonly SpanDraft[]): Generator<TracePart> {
    for (const draft of drafts) {
      const span = spanOf(draft, { job, afterSeq, root });
      if (span !== null) spans.push(span);
      if (spans.length === MAX_SPANS) yield partNow();
    }
  };
  for await (const event of events) {
    if (fold === null) {
      if (event.type !== 'run.started') return;
      fold = createTraceFold(run, { row: job, started: event });
      owner = ownerOf(event);
    }
    const verdict = event.seq > afterSeq ? verdictOf(event) : null;
    if (verdict !== null) decisions[verdict] += 1;
    yield* fill(fold.add(event));
  }
  if (fold === null) return;
  yield* fill(fold.close());
  yield partNow();
}

const NOBODY = { organisation: null, team: null, annotations: {} } as const;

/** Whose run it is stands in its first event. */
function ownerOf({
  payload: { organisation, team, annotations },
}: EventOf<'run.started'>): Omit<TracePart, 'spans' | 'decisions'> {
  return {
    organisation: organisation?.id ?? null,
    team: team?.id ?? null,
    annotations: Object.fromEntries(
      Object.entries(annotations ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    ),
  };
}

function spanOf(
  draft: SpanDraft,
  { job, afterSeq, root }: { readonly job: TracedJob; readonly afterSeq: number; readonly root: string | null },
): RunSpan | null {
  const { path, parent, startMs, endMs, endedSeq, error, of } = draft;
  if (endMs === null || endedSeq === null || endedSeq <= afterSeq) return null;
  return {
    spanId: spanIdFrom(job.id, path),
    parentSpanId: parent === null ? root : spanIdFrom(job.id, parent),
    startMs,
    endMs,
    error,
    of,
  };
}

/**
 * The `traceparent` of a run for whoever is told of it from outside a step: its spans hang below
 * the work on the run.
 */
export function runTraceParent(job: Pick<Job, 'id' | 'traceParent'>): string {
  const context = parseTraceParent(job.traceParent);
  return formatTraceParent({
    traceId: context?.traceId ?? traceIdFrom(job.id),
    spanId: spanIdFrom(job.id, RUN_SPAN),
    isSampled: context?.isSampled ?? true,
  });
}

/**
 * What was decided about an agent that was to begin, a tool that was to be called, or somebody who
 * signed; null: the event tells of none.
 */
function verdictOf(event: StoredEvent): 'allow' | 'deny' | null {
  switch (event.type) {
    case 'agent.started':
      return 'allow';
    case 'policy.denied':
      // Of a tool its own event tells.
      return event.payload.action === 'agent:execute' ? 'deny' : null;
    case 'skill.executed':
    case 'approval.role_task_resolved':
      return event.payload.policy_decision;
    default:
      return null;
  }
}
