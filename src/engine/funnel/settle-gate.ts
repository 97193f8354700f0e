import { type GateRound, MAX_ROUNDS, type RecordedDecision, type ReviewState } from '../../domain/gates.js';
import { gateWait } from '../../govern/approval/gate-wait.js';
import { assertNever } from '../../lib/assert-never.js';
import { sha256Hex } from '../../lib/sha256.js';
import type { NewEvent } from '../new-event.js';
import type { Parked } from '../park.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { StepEnd } from '../step-types.js';
import type { GateValue, OpenVisit } from './gate-visit.js';
import { MAX_COMMENT_CHARS, MAX_REPORTED_DECISIONS, type ReportedDecision } from './revise.js';

/**
 * What the people decided about the round that this step opened. It is found by gate and activation
 * (docs/design/journal.md#gate-rounds), and counts for the bytes that were signed alone: an
 * approval whose artifact is gone, or is another, lets nothing out.
 */
export async function settleGate(services: RunServices, visit: OpenVisit): Promise<StepEnd<GateValue> | Parked> {
  const state = await services.reviews.state(services.jobId);
  const gate = state?.gates.findLast((one) => one.gateId === visit.gateId && one.activation === visit.activation.key);
  if (state === null || gate === undefined)
    throw new Error(`gate ${visit.gateId} has no round of ${visit.activation.key}`);
  if (gate.sha256 !== visit.artifact.sha256) return corrupt(gate, 'the round is about other bytes than the draft');
  if (gate.withdrawn) return rejectedEnd(state, gate);
  switch (gate.status) {
    case 'pending':
      return { parked: [gateWait(state, gate)] };
    case 'approved':
      return approvedEnd(services, gate);
    case 'rejected':
      return rejectedEnd(state, gate);
    case 'changes-requested':
      return changesEnd(state, visit, gate);
    default:
      return assertNever(gate.status);
  }
}

async function approvedEnd(services: RunServices, gate: GateRound): Promise<StepEnd<GateValue>> {
  const bytes = await services.artifacts.read(gate.sha256);
  if (bytes === null) return corrupt(gate, 'it is not in the artifact store any more');
  if (sha256Hex(bytes) !== gate.sha256) return corrupt(gate, 'its bytes are not those that were signed');
  return { outcome: { status: 'ok', value: { decision: 'approved', round: gate.round } } };
}

/** The people asked for changes as often as they may. */
const exhaustedEnd = (gateId: string, round: number): StepEnd<never> =>
  failedEnd('rework_exhausted', `gate ${gateId} was reworked as often as a gate may be, and is not approved`, {
    gate_id: gateId,
    round,
  });

const corrupt = (gate: GateRound, why: string): StepEnd<never> =>
  failedEnd('KIT_ARTIFACT_CORRUPT', `the artifact of gate ${gate.gateId} cannot be let out: ${why}`, {
    gate_id: gate.gateId,
    round: gate.round,
  });

/**
 * The rejection that ends the run, or the one that took this gate along
 * (docs/design/decisions.md#rejection).
 */
function rejectedEnd(state: ReviewState, own: GateRound): StepEnd<never> {
  const gate = own.status === 'rejected' ? own : (state.gates.find((one) => one.status === 'rejected') ?? own);
  const by = decisionsOf(state, gate).find((decision) => decision.outcome === 'reject');
  const data = { gate_id: gate.gateId, round: gate.round };
  if (by !== undefined) {
    const comment = by.comment === '' ? '' : `: ${by.comment}`;
    return failedEnd('gate_rejected', `gate ${gate.gateId} rejected by ${by.identity}${comment}`, data);
  }
  if (gate.status === 'rejected')
    return failedEnd(
      'gate_rejected',
      `gate ${gate.gateId} was rejected: nobody decided it before ${gate.expiresAt}`,
      data,
    );
  return failedEnd('gate_withdrawn', `gate ${gate.gateId} was withdrawn before it was decided`, data);
}

function changesEnd(state: ReviewState, visit: OpenVisit, gate: GateRound): StepEnd<GateValue> {
  const rounds = state.gates.filter((one) => one.gateId === gate.gateId && one.activation === gate.activation).length;
  // Another draft would be paid for and find no round to be looked at in.
  if (rounds >= MAX_ROUNDS) return exhaustedEnd(gate.gateId, gate.round);
  const event: NewEvent = {
    type: 'rework',
    agentId: gate.agentId,
    skillId: null,
    payload: { gate_id: gate.gateId, round: gate.round, draft: visit.next },
  };
  const decisions = reportedDecisions(state, gate);
  return {
    outcome: { status: 'ok', value: { decision: 'changes-requested', round: gate.round, decisions } },
    events: [event],
  };
}

/**
 * What was said at this activation's gate so far, oldest first, the newest `MAX_TOLD_DECISIONS`;
 * earlier rounds are marked stale.
 */
function reportedDecisions(state: ReviewState, gate: GateRound): readonly ReportedDecision[] {
  const rounds = new Set(
    state.gates
      .filter((one) => one.gateId === gate.gateId && one.activation === gate.activation)
      .map((one) => one.round),
  );
  return state.decisions
    .filter((decision) => decision.gateId === gate.gateId && rounds.has(decision.round))
    .slice(-MAX_REPORTED_DECISIONS)
    .map(({ identity, role, outcome, comment, round, stale }) => ({
      identity,
      role,
      outcome,
      comment: comment.slice(0, MAX_COMMENT_CHARS).toWellFormed(),
      round,
      stale: stale || round !== gate.round,
    }));
}

const decisionsOf = (state: ReviewState, gate: GateRound): readonly RecordedDecision[] =>
  state.decisions.filter(
    (decision) => decision.gateId === gate.gateId && decision.round === gate.round && !decision.stale,
  );
