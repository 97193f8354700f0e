import type {
  DecisionSignature,
  GateRound,
  Outcome,
  RecordedDecision,
  ReviewItem,
  ReviewState,
} from '../../domain/gates.js';
import type { ReviewChange } from '../../domain/ports/reviews.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { admit, type Candidate } from './admit.js';
import { authorCalled, authorsOf } from './authors.js';
import { joinRows, NO_ROWS, type Rows, unchanged, withRows } from './change.js';
import { type Attempt, attemptEvent, type Pen, requestedEvent, settledEvent, wakeEvent } from './events.js';
import { statusOf } from './fold.js';
import { personOf } from './people.js';
import type { RefusalFacts } from './refusals.js';
import { type Resolution, refused } from './resolution.js';
import { isOpen, tasksOfRound } from './rules.js';
import { decidedEvents, settleRound, withdrawRest } from './settle.js';

/** One attempt to decide a role task. */
export interface ResolveRequest extends Candidate {
  readonly itemId: string;
  /** UUIDs, for the decision and the events. */
  readonly newId: () => string;
  /**
   * Signs the canonical JSON of the decision without `stale` and `signature`; null: no key is
   * there.
   */
  readonly sign: ((body: string) => DecisionSignature) | null;
}

/**
 * Decides one role task: the checks of `admit`, then the fold of its round. Every attempt on a
 * known item comes to one `approval.role_task_resolved`; a refused one changes nothing else, so the
 * task stays open. The same person deciding the same again changes nothing and is not an error.
 * Deadlines are judged by `state.now`: an attempt at or after the gate's instant is refused,
 * whether or not anything was running; who carries out the expiry is `expireDue`.
 */
export function resolveItem(state: ReviewState, request: ResolveRequest): ReviewChange<Resolution> {
  const item = state.items.find((candidate) => candidate.id === request.itemId);
  if (item === undefined) return unchanged(refused('item_unknown', factsOf(state, request, null, null), null), []);
  const pen: Pen = { state, newId: request.newId };
  const attempt: Attempt = { ...request, person: personOf(request.roles, request.identity) };
  const admission = admit(state, item, request);
  const gate = admission.verdict === 'refused' ? gateOf(state, item) : admission.gate;
  if (admission.verdict === 'refused' || gate === null) {
    const why = refused(
      admission.verdict === 'refused' ? admission.refusal : 'no_role_task',
      factsOf(state, request, item, gate),
      item,
    );
    // Nothing about a person or a task was wrong: it is the store that has to be fixed.
    if (why.refusal === 'unreadable') return unchanged(why, []);
    return unchanged(why, [attemptEvent(pen, attempt, { item, gate, refused: why, decision: null, reopened: null })]);
  }
  if (admission.verdict === 'unchanged') {
    const result: Resolution = {
      kind: 'recorded',
      item,
      gate,
      decision: admission.decision,
      unchanged: true,
      reopened: null,
    };
    return unchanged(result, [
      attemptEvent(pen, attempt, { item, gate, refused: null, decision: null, reopened: null }),
    ]);
  }
  const decision = newDecision(state, item, gate, attempt, request, admission.outcome);
  return record(pen, attempt, { item, gate, decision });
}

const gateOf = (state: ReviewState, item: ReviewItem): GateRound | null =>
  state.gates.find((gate) => gate.gateId === item.gateId && gate.round === item.round) ?? null;

function factsOf(
  state: ReviewState,
  request: ResolveRequest,
  item: ReviewItem | null,
  gate: GateRound | null,
): RefusalFacts {
  const isDecided = item !== null && item.status === 'pending' && gate !== null;
  return {
    itemId: request.itemId,
    identity: request.identity,
    role: item?.role ?? null,
    scope: item?.scope ?? null,
    given: request.outcome,
    job: { id: state.job.id, status: state.job.status },
    status: isDecided ? gate.status : (item?.status ?? ''),
    decidedBy: item?.resolvedBy ?? '',
    expiredAt: gate?.expiresAt ?? null,
    options: [],
    unreadable: request.unreadable ?? null,
    newerItem: item === null ? null : newerThan(state, item),
    openTasks: gate === null ? [] : tasksOfRound(state.items, gate).filter(isOpen),
    earlierRun:
      authorCalled(authorsOf(state.job, request.roles).slice(1), request.roles, request.identity)?.jobId ?? null,
  };
}

/** The open task of the same role and rule in a later round; null: there is none. */
export const newerThan = ({ items }: ReviewState, { gateId, round, role, ruleIndex }: ReviewItem): string | null =>
  items.findLast(
    (other) =>
      isOpen(other) &&
      other.gateId === gateId &&
      other.round > round &&
      other.role === role &&
      other.ruleIndex === ruleIndex,
  )?.id ?? null;

function newDecision(
  state: ReviewState,
  item: ReviewItem,
  gate: GateRound,
  attempt: Attempt,
  request: ResolveRequest,
  outcome: Outcome,
): RecordedDecision {
  const body = {
    id: request.newId(),
    itemId: item.id,
    gateId: gate.gateId,
    jobId: state.job.id,
    round: gate.round,
    ruleIndex: item.ruleIndex ?? 0,
    role: item.role ?? '',
    scope: item.scope ?? '',
    identity: attempt.identity,
    person: attempt.person,
    assurance: attempt.assurance,
    outcome,
    comment: attempt.comment,
    at: state.now,
    sha256: gate.sha256,
    policyDigest: gate.policyDigest,
    registryDigest: attempt.roles.digest,
    carriedFrom: null,
  };
  return { ...body, stale: false, signature: request.sign === null ? null : request.sign(canonicalJson(body)) };
}

interface Recorded {
  readonly item: ReviewItem;
  readonly gate: GateRound;
  readonly decision: RecordedDecision;
}

function record(pen: Pen, attempt: Attempt, { item, gate, decision }: Recorded): ReviewChange<Resolution> {
  const { identity: by, clientName, comment } = attempt;
  const decider = { by, ...(clientName === undefined ? {} : { clientName }), comment };
  const done: ReviewItem = {
    ...item,
    status: statusOf(decision.outcome),
    resolvedBy: by,
    comment,
    resolvedAt: pen.state.now,
  };
  const recorded: Rows = { gates: [], items: [done], decisions: [decision] };
  const then = withRows(pen.state, recorded);
  const settled = settleRound(gate, then.items, then.decisions, pen.state.now);
  const isDecided = settled.gate.status !== 'pending';
  const rows = joinRows(recorded, settled.rows);
  const rest =
    settled.gate.status === 'rejected'
      ? withdrawRest(pen, withRows(pen.state, rows), decider)
      : { rows: NO_ROWS, events: [] };
  const reopened = settled.reopened?.id ?? null;
  const result: Resolution = {
    kind: 'recorded',
    item: settled.reopened?.id === done.id ? settled.reopened : done,
    gate: settled.gate,
    decision: settled.rows.decisions.find((changed) => changed.id === decision.id) ?? decision,
    unchanged: false,
    reopened,
  };
  return {
    result,
    ...joinRows(rows, rest.rows),
    events: [
      attemptEvent(pen, attempt, { item, gate, refused: null, decision, reopened }),
      settledEvent(pen, done, decision.outcome, decider),
      ...(settled.reopened === null ? [] : [requestedEvent(pen, settled.reopened)]),
      ...(isDecided ? decidedEvents(pen, settled, decider) : []),
      ...rest.events,
    ],
    wake: isDecided ? wakeEvent(pen, decider) : null,
  };
}
