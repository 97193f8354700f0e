import {
  type ApprovalPolicy,
  type GateOpening,
  type GateRound,
  type GateStatus,
  MAX_ROUNDS,
  type RecordedDecision,
  type ReviewItem,
  type ReviewState,
  type RoleDirectory,
} from '../../domain/gates.js';
import { digestUuid } from '../../lib/digest-uuid.js';
import { joinRows, NO_ROWS } from './change.js';
import { countedDecisions } from './fold.js';
import { itemIdOf, newestRound, rulesOf, tasksOf } from './rules.js';
import { settleRound } from './settle.js';

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
function carriedDecisions(state: ReviewState, gate: GateRound): readonly RecordedDecision[] {
  const before = roundBefore(state, gate);
  if (gate.policy.onRevision !== 'reconfirm_changed' || before === null) return [];
  return countedDecisions(before, state.decisions)
    .filter((decision) => decision.outcome === 'approve' && isUntouched(before, gate, decision.ruleIndex))
    .map((decision) => carried(decision, gate));
}

/** The round of the same activation before this one; null for the first. */
function roundBefore(state: ReviewState, gate: Pick<GateRound, 'gateId' | 'activation' | 'round'>): GateRound | null {
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

/** What the round itself comes to. */
type Moments = 'escalatedTo' | 'openedAt' | 'expiresAt' | 'remindAt' | 'decidedAt';

/** What a gate step asks people about. */
export interface RoundRequest extends Omit<GateRound, 'jobId' | 'round' | 'status' | 'withdrawn' | Moments> {
  /** Journal key of the gate's step. */
  readonly stepKey: string;
  /**
   * Opening a round authorises nobody: no role is looked up here. It stands beside the others
   * because the caller holds it.
   */
  readonly roles: RoleDirectory;
}

/**
 * A round to write. `status` is not `pending` when decisions that were carried decide it at once.
 */
export type RoundOpening =
  | { readonly opening: GateOpening; readonly status: GateStatus }
  | { readonly failed: 'rework_exhausted' };

/**
 * The next round of a gate: its number, a task for each role of each rule, the decisions that carry
 * over, and when it expires by the store's clock. An escalation stays with the later rounds of its
 * activation. Numbers count per gate, the bound per activation: one that has had MAX_ROUNDS rounds
 * gets no other.
 */
export function openRound(state: ReviewState, request: RoundRequest): RoundOpening {
  const { gateId, activation, policy } = request;
  const had = state.gates.filter((gate) => gate.gateId === gateId && gate.activation === activation).length;
  if (had >= MAX_ROUNDS) return { failed: 'rework_exhausted' };
  const round = (newestRound(state, gateId)?.round ?? -1) + 1;
  const gate: GateRound = {
    gateId,
    round,
    jobId: state.job.id,
    topologyId: request.topologyId,
    agentId: request.agentId,
    activation,
    funnelId: request.funnelId,
    status: 'pending',
    artifactRef: request.artifactRef,
    sha256: request.sha256,
    mediaType: request.mediaType,
    policy,
    policyDigest: request.policyDigest,
    evidence: request.evidence,
    parts: request.parts,
    // Whoever a gate was escalated to, and asked for changes, is asked again: without their rule
    // kept decisions could approve a draft that nobody saw.
    escalatedTo: roundBefore(state, { gateId, activation, round })?.escalatedTo ?? [],
    openedAt: state.now,
    ...deadlines(policy, state.now),
    decidedAt: null,
    withdrawn: false,
  };
  const carried = carriedDecisions(state, gate);
  const source = { gate, stepKey: request.stepKey, createdAt: state.now, escalated: request.evidence.escalated };
  const asked = rulesOf(gate).flatMap((rule, index) =>
    tasksOf(index < policy.rules.length ? source : { ...source, escalated: true }, rule, index),
  );
  const items = asked.map((task) => signed(task, carried));
  // A round that nothing was carried into is undecided: there is nothing to fold.
  const settled = carried.length === 0 ? null : settleRound(gate, items, carried, state.now);
  const rows = joinRows({ gates: [gate], items, decisions: carried }, settled?.rows ?? NO_ROWS);
  return {
    opening: { gate: settled?.gate ?? gate, items: rows.items, carried: rows.decisions },
    status: settled?.gate.status ?? 'pending',
  };
}

function signed(task: ReviewItem, carried: readonly RecordedDecision[]): ReviewItem {
  const decision = carried.find((candidate) => candidate.itemId === task.id);
  if (decision === undefined) return task;
  return {
    ...task,
    status: 'approved',
    resolvedBy: decision.identity,
    comment: decision.comment,
    resolvedAt: decision.at,
  };
}

/** When a clock that starts at `from` runs out, and when people are reminded of it. */
export function deadlines(policy: ApprovalPolicy, from: string): Pick<GateRound, 'expiresAt' | 'remindAt'> {
  if (policy.expiry === null) return { expiresAt: null, remindAt: null };
  const { afterMs, remindBeforeMs } = policy.expiry;
  const expires = Date.parse(from) + afterMs;
  return {
    expiresAt: new Date(expires).toISOString(),
    remindAt: remindBeforeMs === null ? null : new Date(expires - remindBeforeMs).toISOString(),
  };
}
