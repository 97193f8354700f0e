import type { ReviewItem, ReviewState } from '../../domain/gates.js';
import { checkRecorded } from './check-decisions.js';
import { checkGate } from './check-gate.js';
import { checkDecisionSignatures } from './check-signatures.js';
import type { GateFacts, ProofEvent } from './proof.js';
import { type ProofProblem, problem } from './read-proof.js';

/** What people settled in a run, and what its log says of it. */
export interface ReviewFacts {
  readonly run: GateFacts['run'];
  readonly state: Pick<ReviewState, 'gates' | 'items' | 'decisions'>;
  /** Events of the run that speak of gates and tasks (`isOfReviews`). */
  readonly events: readonly ProofEvent[];
}

export const isOfReviews = ({ type }: { readonly type: string }): boolean =>
  type.startsWith('approval.') || type.startsWith('hitl.');

/**
 * The first gate whose stored status does not follow from its decisions, the first decision that
 * was not logged or not signed like this, the first answer that nobody gave. The bytes of artifacts
 * and the registries of decisions are for `kit verify`.
 */
export function checkReviews({ run, state, events }: ReviewFacts): ProofProblem | null {
  const named = events.flatMap(({ event_type, payload }) =>
    event_type === 'approval.gate_opened' ? [String(payload.gate_id)] : [],
  );
  const all = [...state.gates.map(({ gateId }) => gateId), ...state.decisions.map(({ gateId }) => gateId), ...named];
  for (const gateId of new Set(all)) {
    const facts: GateFacts = {
      gateId,
      run,
      events,
      rounds: state.gates.filter((round) => round.gateId === gateId).toSorted((a, b) => a.round - b.round),
      decisions: state.decisions.filter((decision) => decision.gateId === gateId),
    };
    const wrong = checkGate(facts) ?? checkRecorded(facts) ?? checkDecisionSignatures(facts.decisions);
    if (wrong !== null) return wrong;
  }
  const unsaid = state.items.find((item) => isAnswered(item) && !isLogged(item, events));
  return unsaid === undefined
    ? null
    : problem('decision', `task ${unsaid.id} is ${unsaid.status}, and no event of the log says so`);
}

/** Role tasks decide nothing by themselves: their gate counts the decisions. */
const isAnswered = ({ kind, status, withdrawn }: ReviewItem): boolean =>
  kind !== 'role_task' && status !== 'pending' && !withdrawn;

const isLogged = (item: ReviewItem, events: readonly ProofEvent[]): boolean =>
  events.some(
    ({ event_type, payload }) =>
      event_type === 'hitl.resolved' &&
      payload.review_queue_id === item.id &&
      (payload.decision === 'reject') === (item.status === 'rejected'),
  );
