import type { RunEvent } from '../domain/events.js';
import type { GateOpening, GateRound, RecordedDecision, ReviewItem, ReviewState } from '../domain/gates.js';
import type { DueTimer, ReviewChange } from '../domain/ports/reviews.js';
import type { RowParams } from './columns.js';
import { openingRefused, reviewRefused } from './refusals.js';
import { DECISIONS, GATES, ITEMS, MUTABLE_OF_DECISION, MUTABLE_OF_GATE, MUTABLE_OF_ITEM } from './review-rows.js';
import { refuseEnd } from './run-ended.js';
import {
  DROP_TIMER,
  INSERT_DECISION,
  INSERT_GATE,
  INSERT_ITEM,
  MARK_DECISION,
  SET_TIMER,
  STALE_ITEMS,
  UPDATE_GATE,
  UPDATE_ITEM,
} from './sql/reviews.js';

/** One statement to run, the same in both dialects. */
export interface Statement {
  readonly sql: string;
  readonly params: RowParams;
}

/** What a change of reviews writes. */
export interface ReviewPlan {
  readonly statements: readonly Statement[];
  /** With the event of the wake-up where one is due. */
  readonly events: readonly RunEvent[];
  /** The job waits, and goes on by itself: it becomes runnable. */
  readonly wakes: boolean;
}

/**
 * A new round, its tasks, its deadlines, and what becomes of the tasks of earlier rounds. Opening
 * the newest round once more (its step was repeated) changes nothing. Throws KIT_INTERNAL for a
 * round that cannot be opened: the engine is wrong.
 */
export function planOpening(
  opening: GateOpening,
  of: { readonly jobId: string; readonly newest: GateRound | null },
): readonly Statement[] {
  const { gate, items, carried } = opening;
  const { newest } = of;
  if ([gate, ...items, ...carried].some((one) => one.jobId !== of.jobId))
    throw openingRefused(gate, `belongs to another run than ${of.jobId}`);
  if (
    newest !== null &&
    newest.round === gate.round &&
    newest.activation === gate.activation &&
    newest.sha256 === gate.sha256
  )
    return [];
  if (newest?.status === 'pending')
    throw openingRefused(gate, `cannot be opened: round ${newest.round} is still pending`);
  if (gate.round !== (newest?.round ?? -1) + 1)
    throw openingRefused(gate, `cannot be opened: the newest one is ${newest?.round ?? 'none'}`);
  return [
    { sql: STALE_ITEMS, params: { gateId: gate.gateId, round: gate.round } },
    { sql: INSERT_GATE, params: GATES.encode(gate) },
    ...items.map((item) => ({ sql: INSERT_ITEM, params: ITEMS.encode(item) })),
    ...carried.map((decision) => ({ sql: INSERT_DECISION, params: DECISIONS.encode(decision) })),
    ...timerChanges(null, gate),
  ];
}

/**
 * What a decision writes. Throws KIT_INTERNAL for a change that rewrites history or touches another
 * job.
 */
export function planChange(state: ReviewState, change: ReviewChange<unknown>): ReviewPlan {
  refuseEnd(change.wake === null ? change.events : [...change.events, change.wake]);
  const { job } = state;
  for (const one of [...change.gates, ...change.items, ...change.decisions]) {
    if (one.jobId !== job.id) throw reviewRefused(`a change of run ${job.id} names one of run ${one.jobId}`);
  }
  const wakes = change.wake !== null && job.status === 'deferred' && job.autoResume;
  return {
    statements: [
      ...change.gates.flatMap((gate) => gateChange(state, gate)),
      ...change.items.flatMap((item) => itemChange(state, item)),
      ...change.decisions.flatMap((decision) => decisionChange(state, decision)),
    ],
    events: wakes && change.wake !== null ? [...change.events, change.wake] : change.events,
    wakes,
  };
}

/** Rounds are opened by their run alone. */
function gateChange(state: ReviewState, gate: GateRound): readonly Statement[] {
  const stored = state.gates.find((other) => other.gateId === gate.gateId && other.round === gate.round);
  if (stored === undefined)
    throw reviewRefused(`there is no round ${gate.round} of gate ${gate.gateId}: its run opens it`);
  const params = GATES.encode(gate);
  const changes = replaced(GATES.encode(stored), params, {
    mutable: MUTABLE_OF_GATE,
    what: `round ${gate.round} of gate ${gate.gateId}`,
  });
  return changes ? [{ sql: UPDATE_GATE, params }, ...timerChanges(stored, gate)] : [];
}

function itemChange(state: ReviewState, item: ReviewItem): readonly Statement[] {
  const stored = state.items.find((other) => other.id === item.id);
  const params = ITEMS.encode(item);
  if (stored === undefined) return [{ sql: INSERT_ITEM, params }];
  const changes = replaced(ITEMS.encode(stored), params, { mutable: MUTABLE_OF_ITEM, what: `item ${item.id}` });
  return changes ? [{ sql: UPDATE_ITEM, params }] : [];
}

/** A decision that was carried into another round is another row. */
function decisionChange(state: ReviewState, decision: RecordedDecision): readonly Statement[] {
  const stored = state.decisions.find((other) => other.id === decision.id && other.round === decision.round);
  const params = DECISIONS.encode(decision);
  if (stored === undefined) return [{ sql: INSERT_DECISION, params }];
  const changes = replaced(DECISIONS.encode(stored), params, {
    mutable: MUTABLE_OF_DECISION,
    what: `decision ${decision.id}`,
  });
  return changes ? [{ sql: MARK_DECISION, params }] : [];
}

/** Whether anything differs; refuses a difference in what may not. */
function replaced(
  stored: RowParams,
  given: RowParams,
  of: { readonly mutable: readonly string[]; readonly what: string },
): boolean {
  const differing = Object.keys(given).filter((column) => given[column] !== stored[column]);
  const fixed = differing.filter((column) => !of.mutable.includes(column));
  if (fixed.length > 0) throw reviewRefused(`${of.what} is written already: ${fixed.join(', ')} cannot change`);
  return differing.length > 0;
}

type Timers = Readonly<Record<DueTimer['kind'], string | null>>;

const NO_TIMERS: Timers = { 'gate.reminder': null, 'gate.expiry': null };

/** A gate's own times are its deadlines, while people can still decide. */
function timersOf(gate: GateRound | null): Timers {
  if (gate === null || gate.status !== 'pending' || gate.withdrawn) return NO_TIMERS;
  return { 'gate.reminder': gate.remindAt, 'gate.expiry': gate.expiresAt };
}

function timerChanges(before: GateRound | null, gate: GateRound): readonly Statement[] {
  const [from, to] = [timersOf(before), timersOf(gate)];
  return (['gate.reminder', 'gate.expiry'] as const).flatMap((kind): readonly Statement[] => {
    const dueAt = to[kind];
    if (dueAt === from[kind]) return [];
    const key = { jobId: gate.jobId, key: gate.gateId, kind };
    return [dueAt === null ? { sql: DROP_TIMER, params: key } : { sql: SET_TIMER, params: { ...key, dueAt } }];
  });
}
