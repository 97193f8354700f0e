import type { GateRound } from '../../domain/gates.js';
import { foldGate } from '../approval/fold.js';
import { policyDigest } from '../approval/policy-digest.js';
import type { GateFacts, ProofEvent } from './proof.js';
import { type ProofProblem, problem } from './read-proof.js';

/**
 * Every round was opened in the log as it stands here, and its decisions, counted anew, come to the
 * status that it states.
 */
export function checkGate(proof: GateFacts): ProofProblem | null {
  if (proof.rounds.length === 0) return problem('gate', `gate ${proof.gateId} has no round`);
  const numbers = proof.rounds.map((round) => round.round);
  if (numbers.some((number, at) => number !== at))
    return problem('gate', 'a round is missing, or stands out of its place');
  for (const round of proof.rounds) {
    const wrong = checkRound(proof, round);
    if (wrong !== null) return wrong;
  }
  const opened = eventsOf(proof, 'approval.gate_opened').find(
    (event) => !numbers.includes(Number(event.payload.round)),
  );
  return opened === undefined
    ? null
    : problem('gate', `round ${String(opened.payload.round)} of event ${opened.seq} is missing`, { seq: opened.seq });
}

const eventsOf = (proof: GateFacts, type: string, round?: number): readonly ProofEvent[] =>
  proof.events.filter(
    (event) =>
      event.event_type === type &&
      event.payload.gate_id === proof.gateId &&
      (round === undefined || event.payload.round === round),
  );

function checkRound(proof: GateFacts, round: GateRound): ProofProblem | null {
  if (round.gateId !== proof.gateId || round.jobId !== proof.run.id)
    return problem('gate', `round ${round.round} belongs to another gate`);
  if (policyDigest(round.policy) !== round.policyDigest)
    return problem('policy', `the policy of round ${round.round} does not have the digest that it states`);
  const opened = eventsOf(proof, 'approval.gate_opened', round.round)[0];
  if (opened === undefined) return problem('gate', `round ${round.round} is opened by no event of the log`);
  const { seq, payload } = opened;
  if (
    payload.sha256 !== round.sha256 ||
    payload.policy_digest !== round.policyDigest ||
    payload.artifact_ref !== round.artifactRef
  )
    return problem('gate', `round ${round.round} and its event ${seq} name another artifact or policy`, { seq });
  return checkStatus(proof, round);
}

/** A deadline can reject what nobody decided; then an event says so. */
function checkStatus(proof: GateFacts, round: GateRound): ProofProblem | null {
  const hasExpired = eventsOf(proof, 'approval.expired', round.round).some(
    (event) => event.payload.action === 'reject',
  );
  const counted = foldGate(round, proof.decisions).status;
  const status = counted === 'pending' && hasExpired ? 'rejected' : counted;
  if (status !== round.status)
    return problem('gate', `round ${round.round} states ${round.status}, but its decisions come to ${status}`);
  const resolved = eventsOf(proof, 'approval.gate_resolved', round.round)[0];
  if (resolved !== undefined && resolved.payload.status !== status)
    return problem(
      'gate',
      `round ${round.round} is ${status}, but event ${resolved.seq} says ${String(resolved.payload.status)}`,
      {
        seq: resolved.seq,
      },
    );
  const needsEvent = status === 'approved' || status === 'rejected';
  return needsEvent && resolved === undefined && !isCarriedThrough(proof, round)
    ? problem('gate', `round ${round.round} is ${status}, and no event of the log says so`)
    : null;
}

/** Carried decisions can approve a round as it opens: then nobody resolved it. */
const isCarriedThrough = (proof: GateFacts, round: GateRound): boolean => {
  const own = proof.decisions.filter((decision) => decision.round === round.round);
  return own.length > 0 && own.every((decision) => decision.carriedFrom !== null);
};
