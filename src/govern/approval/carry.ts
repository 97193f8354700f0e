import type { GateRound, RecordedDecision, ReviewState } from '../../domain/gates.js';
import { digestUuid } from '../../lib/digest-uuid.js';
import { countedDecisions } from './fold.js';
import { itemIdOf } from './rules.js';

/**
 * Approvals of the round before that are worth something in this one (`on_revision:
 * reconfirm_changed`): those whose rule looked at bytes that are equal now, each part that the rule
 * `covers`; without `covers` the whole artifact and the whole diff. Rejections and requests for
 * changes are never kept, nor is anything of an escalation's rule. Only rounds of the same
 * activation speak to each other (docs/design/journal.md#gate-rounds).
 *
 * A carried decision is a record of its own, for the new bytes, and carries no signature: the
 * person signed the one in round `carriedFrom`, which stays as it is.
 */
export function carriedDecisions(state: ReviewState, gate: GateRound): readonly RecordedDecision[] {
  const before = roundBefore(state, gate);
  if (gate.policy.onRevision !== 'reconfirm_changed' || before === null) return [];
  return countedDecisions(before, state.decisions)
    .filter((decision) => decision.outcome === 'approve' && isUntouched(before, gate, decision.ruleIndex))
    .map((decision) => carried(decision, gate));
}

/** The round of the same activation before this one; null for the first. */
export function roundBefore(
  state: ReviewState,
  gate: Pick<GateRound, 'gateId' | 'activation' | 'round'>,
): GateRound | null {
  const earlier = state.gates.filter(
    (round) => round.gateId === gate.gateId && round.activation === gate.activation && round.round < gate.round,
  );
  return earlier.reduce<GateRound | null>(
    (newest, round) => (newest === null || round.round > newest.round ? round : newest),
    null,
  );
}

function isUntouched(before: GateRound, now: GateRound, ruleIndex: number): boolean {
  const rule = now.policy.rules[ruleIndex];
  if (rule === undefined) return false;
  // The diff of a harness is not part of its artifact: the same answer may come with other changes.
  if (rule.covers === null)
    return before.sha256 === now.sha256 && before.evidence.diffSha256 === now.evidence.diffSha256;
  const old = before.parts[String(ruleIndex)];
  const current = now.parts[String(ruleIndex)];
  if (old === undefined || current === undefined) return false;
  const names = Object.keys(old);
  return names.length === Object.keys(current).length && names.every((name) => old[name] === current[name]);
}

const carried = (decision: RecordedDecision, gate: GateRound): RecordedDecision => ({
  ...decision,
  id: carriedId(decision.id, gate.round),
  itemId: itemIdOf(gate.gateId, decision.ruleIndex, decision.role, gate.round),
  round: gate.round,
  sha256: gate.sha256,
  stale: false,
  carriedFrom: decision.carriedFrom ?? decision.round,
  signature: null,
});

/**
 * A UUID (version 8) out of the decision that is carried and the round: opening a round again gives
 * the same record.
 */
const carriedId = (id: string, round: number): string => digestUuid(`${id} carried into round ${round}`, 8);
