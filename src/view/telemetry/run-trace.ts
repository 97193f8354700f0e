import type { StoredEvent } from '../../domain/events.js';
import type { Job } from '../../domain/job.js';
import type { RunSpan, RunTrace } from '../../domain/ports/run-trace.js';
import { RUN_SPAN, SUBMIT_SPAN } from '../../domain/trace.js';
import { formatTraceParent, parseTraceParent, spanIdFrom, traceIdFrom } from '../../lib/trace-context.js';
import { reduceRun } from '../reduce-run.js';
import { EMPTY_TRACE, type RunView } from '../run-view.js';
import { agentDrafts, type Places } from './agent-drafts.js';
import { decisionsIn } from './decisions.js';
import { fitted, type SpanDraft } from './draft.js';
import { lostSessions } from './lost-sessions.js';
import { runDrafts } from './run-drafts.js';
import { pathsOf, type Segment, segmentOf } from './segment.js';
import { waitDrafts } from './waits.js';

/** What of the row a trace tells. */
export type TracedJob = Pick<
  Job,
  'id' | 'topology' | 'version' | 'correlationId' | 'labels' | 'needs' | 'traceParent' | 'startedAt' | 'claimedAt' | 'attempt' | 'workerId'
>;

/**
 * The trace of a run from its events up to the one at which it parked or ended: the spans that have ended since it last did so. A fold of
 * the log and nothing else but what the row tells of claims, so it is the same whoever asks, wherever, and however often: span ids derive
 * from the run and its journal keys. Null for a run whose events do not begin with its submit.
 */
export function runTrace(job: TracedJob, events: readonly StoredEvent[]): RunTrace | null {
  const segment = segmentOf(events);
  if (segment === null) return null;
  const context = parseTraceParent(job.traceParent);
  const { organisation, team, annotations } = segment.started.payload;
  return {
    traceId: context?.traceId ?? traceIdFrom(job.id),
    hasParent: context !== null,
    isSampled: context?.isSampled ?? true,
    end: segment.last.type === 'run.ended' ? segment.last.payload.status : null,
    runId: job.id,
    topology: job.topology,
    version: job.version,
    correlationId: job.correlationId,
    workspaceId: job.needs.workspace ?? '',
    labels: job.labels,
    organisation: organisation?.id ?? null,
    team: team?.id ?? null,
    annotations: Object.fromEntries(Object.entries(annotations ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
    spans: draftsOf(segment, job).flatMap((draft) => spanOf(draft, { job, segment, root: context?.spanId ?? null })),
    decisions: decisionsIn(segment),
  };
}

function draftsOf(segment: Segment, job: TracedJob): readonly SpanDraft[] {
  const view = segment.events.reduce(reduceRun, EMPTY_TRACE);
  const places = placesOf(segment, view);
  const drafts = [
    ...runDrafts(segment, { row: job, view }),
    ...agentDrafts(segment, { view, places }),
    ...lostSessions(segment, places),
    ...waitDrafts(segment, places),
  ];
  return fitted(distinct(drafts).map((draft) => (draft.parent === RUN_SPAN && !drafts.some(isWork) ? { ...draft, parent: SUBMIT_SPAN } : draft)));
}

const isWork = ({ path }: SpanDraft): boolean => path === RUN_SPAN;

/** One step can be told of twice (a tool that is not there, and its refusal): the second has an id of its own. */
function distinct(drafts: readonly SpanDraft[]): readonly SpanDraft[] {
  const seen = new Set<string>();
  return drafts.map((draft) => {
    const path = seen.has(draft.path) ? `${draft.path}#${draft.endedSeq ?? ''}` : draft.path;
    seen.add(path);
    return { ...draft, path };
  });
}

/** Spans by the keys of their steps: what is called within a tool hangs below the tool, else below its agent. */
function placesOf({ events }: Segment, view: RunView): Places {
  const paths = pathsOf(events);
  const calls = new Set(
    Object.values(view.agents).flatMap(({ trail }) => trail.filter(({ kind }) => kind === 'tool').flatMap(({ seq }) => paths.get(seq) ?? [])),
  );
  const above = (key: string): string => {
    let cut = key.lastIndexOf('/');
    for (let rest = key; cut > 0; cut = rest.lastIndexOf('/')) {
      rest = rest.slice(0, cut);
      if (Object.hasOwn(view.agents, rest) || calls.has(rest)) return rest;
    }
    return Object.hasOwn(view.agents, key) ? key : RUN_SPAN;
  };
  return { paths, above };
}

function spanOf(
  draft: SpanDraft,
  { job, segment, root }: { readonly job: TracedJob; readonly segment: Segment; readonly root: string | null },
): readonly RunSpan[] {
  const { path, parent, startMs, endMs, endedSeq, error, of } = draft;
  if (endMs === null || endedSeq === null || endedSeq <= segment.afterSeq) return [];
  return [
    {
      spanId: spanIdFrom(job.id, path),
      parentSpanId: parent === null ? root : spanIdFrom(job.id, parent),
      startMs,
      endMs,
      error,
      of,
    },
  ];
}

/** The `traceparent` of a run for whoever is told of it from outside a step: its spans hang below the work on the run. */
export function runTraceParent(job: Pick<Job, 'id' | 'traceParent'>): string {
  const context = parseTraceParent(job.traceParent);
  return formatTraceParent({
    traceId: context?.traceId ?? traceIdFrom(job.id),
    spanId: spanIdFrom(job.id, RUN_SPAN),
    isSampled: context?.isSampled ?? true,
  });
}
