import type { StoredEvent } from '../../domain/events.js';
import { RUN_SPAN, SUBMIT_SPAN, stepSpan } from '../../domain/trace.js';
import { own } from '../../lib/own.js';
import { addEvent } from '../reduce-run.js';
import { RunDraft } from '../run-draft.js';
import { EMPTY_RUN, type RunView } from '../run-view.js';
import { NO_USAGE } from '../usage-view.js';
import { agentDrafts, type Cut, endOf, parentOf, usageOf } from './agent-drafts.js';
import { createCallFold } from './calls.js';
import { type EndedDraft, fitted, type SpanDraft } from './draft.js';
import { agentAbove } from './places.js';
import { type ClaimRow, runDrafts, workStartMs } from './run-drafts.js';
import { type Bounds, type EventOf, msOf, nothingPassed, pass, segmentOf } from './segment.js';
import { createSpanTree, type SpanTree } from './tree.js';
import { createWaitFold } from './waits.js';

/**
 * The spans of a run, as its events pass from the first to the last one of a segment. What is kept
 * grows with the agents of the run and with what is under way, never with its calls or what they
 * said.
 */
export interface TraceFold {
  /** What has ended with an event: calls, and waits for people. */
  add(event: StoredEvent): readonly SpanDraft[];
  /**
   * After the last event: agents, which last as long as what is below them, the run itself, and its
   * claims.
   */
  close(): readonly SpanDraft[];
}

export function createTraceFold(
  bounds: Bounds,
  { row, started }: { readonly row: ClaimRow; readonly started: EventOf<'run.started'> },
): TraceFold {
  const tree = createSpanTree();
  const parts = [createCallFold(tree), createSessionFold(tree), createWaitFold(tree)] as const;
  const [calls, sessions] = parts;
  const attempts = new Map<string, number>();
  const completed = new Map<string, number>();
  const draft = new RunDraft(EMPTY_RUN);
  const { view } = draft;
  let passed = nothingPassed(started);
  tree.begin(SUBMIT_SPAN, msOf(started), null);
  const step = (key: string): string => stepSpan(key, attempts.get(key) ?? 1);
  let workMs: number | null = null;
  // A run that nobody claimed, as far as its row tells, has no span of its work.
  const onRun = (draft: SpanDraft): SpanDraft =>
    draft.parent === RUN_SPAN && workMs === null ? { ...draft, parent: SUBMIT_SPAN } : draft;
  const begin = ({ payload: { activation } }: EventOf<'agent.started'>): void => {
    const agent = own(view.agents, activation);
    if (agent !== undefined) tree.begin(activation, Date.parse(agent.startedAt), parentOf(agent, view));
  };
  return {
    add: (event) => {
      addEvent(draft, event);
      // A trace tells nothing of these, and they grow with the run.
      draft.forget('warnings', 'executors', 'gates');
      passed = pass(passed, event, bounds);
      if (event.type === 'step.repeated') attempts.set(event.payload.key, event.payload.attempt);
      if (event.stepKey !== null && workMs === null) {
        workMs = workStartMs(segmentOf(bounds, passed), row);
        if (workMs !== null) tree.begin(RUN_SPAN, workMs, SUBMIT_SPAN);
      }
      if (event.type === 'agent.started') begin(event);
      if (event.type === 'agent.completed') completed.set(event.payload.activation, event.seq);
      return parts.flatMap((part) => part.add(event, view, step)).map(onRun);
    },
    close: () => {
      const segment = segmentOf(bounds, passed);
      workMs = workStartMs(segment, row);
      const late = [...calls.close(), ...sessions.close(endOf(segment))];
      const whole = [...runDrafts(segment, { row, status: view.status }), ...agentDrafts(segment, { view, completed })];
      return [...late, ...fitted(whole.map(onRun), reachedBy(tree.reached()))].map(onRun);
    },
  };
}

/** What hangs below the work hangs below the submit as well, where there is no span of the work. */
const reachedBy = (reached: ReadonlyMap<string, number>): ReadonlyMap<string, number> => {
  const workMs = reached.get(RUN_SPAN);
  return workMs === undefined
    ? reached
    : new Map([...reached, [SUBMIT_SPAN, Math.max(workMs, reached.get(SUBMIT_SPAN) ?? workMs)]]);
};

/** Sessions that are under way: their spans but for their ends. */
type OpenSession = Omit<EndedDraft, 'endMs' | 'endedSeq' | 'error'>;

/**
 * Sessions without a result: kit was killed with them. What they told of hangs below them all the
 * same, so they end where the run went on, or with it.
 */
interface SessionFold {
  add(event: StoredEvent, view: RunView, step: (key: string) => string): readonly EndedDraft[];
  close(cut: Cut | null): readonly EndedDraft[];
}

function createSessionFold(tree: SpanTree): SessionFold {
  const open = new Map<string, OpenSession>();
  const lose = (key: string, end: Cut): readonly EndedDraft[] => {
    const session = open.get(key);
    open.delete(key);
    return session === undefined ? [] : [tree.settle({ ...session, ...end }, session.parent)];
  };
  return {
    add: (event, view, step) => {
      if (event.type === 'executor.result' && event.stepKey !== null) open.delete(event.stepKey);
      if (event.type === 'executor.started' && event.stepKey !== null)
        open.set(event.stepKey, sessionOf(event, event.stepKey, view, step));
      if (event.type !== 'step.repeated') return [];
      return lose(event.payload.key, {
        endMs: msOf(event),
        endedSeq: event.seq,
        error: event.payload.lost ?? 'lease_lost',
      });
    },
    close: (cut) => (cut === null ? [] : [...open.keys()].flatMap((key) => lose(key, cut))),
  };
}

function sessionOf(
  event: Extract<StoredEvent, { type: 'executor.started' }>,
  key: string,
  view: RunView,
  step: (key: string) => string,
): OpenSession {
  const { kind, ref } = event.payload;
  return {
    path: step(key),
    parent: agentAbove(view, key) ?? RUN_SPAN,
    startMs: msOf(event),
    of: {
      type: 'session',
      agentId: event.agentId,
      executor: `${kind}:${ref}`,
      status: 'lost',
      usage: usageOf(NO_USAGE),
    },
  };
}
