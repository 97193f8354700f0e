import type { ApprovalRule, GateRound, GateStatus, Outcome, RecordedDecision, ReviewItem } from '../../domain/gates.js';
import { assertNever } from '../../lib/assert-never.js';
import { foldName } from '../../lib/fold-name.js';
import { distinctPeople } from './people.js';
import { neededRoles, rulesOf } from './rules.js';

/** How far one rule is. */
export interface RuleFold {
  readonly rule: ApprovalRule;
  readonly needed: number;
  /** Roles with a counted approval, in the order of the rule. */
  readonly completed: readonly string[];
  readonly satisfied: boolean;
}

/** What the decisions of a round come to. */
export interface GateFold {
  readonly status: GateStatus;
  readonly rules: readonly RuleFold[];
  /** People with a counted approval, in the order of their first one. */
  readonly approvers: readonly string[];
  readonly floorMet: boolean;
}

/** The status that an outcome gives to its item. */
export function statusOf(outcome: Outcome): Exclude<GateStatus, 'pending'> {
  switch (outcome) {
    case 'approve':
      return 'approved';
    case 'reject':
      return 'rejected';
    case 'changes_requested':
      return 'changes-requested';
    default:
      return assertNever(outcome);
  }
}

/**
 * Decisions that count: of this round, about these bytes, not stale. Whether each was allowed was
 * judged when it was made, and recorded with it: no later edit of a registry voids or adds one.
 */
export const countedDecisions = (
  gate: GateRound,
  decisions: readonly RecordedDecision[],
): readonly RecordedDecision[] =>
  decisions.filter(
    (decision) =>
      decision.gateId === gate.gateId &&
      decision.round === gate.round &&
      decision.sha256 === gate.sha256 &&
      !decision.stale,
  );

function statusFrom(counted: readonly RecordedDecision[], isApproved: boolean): GateStatus {
  if (counted.some((decision) => decision.outcome === 'reject')) return 'rejected';
  if (counted.some((decision) => decision.outcome === 'changes_requested')) return 'changes-requested';
  return isApproved ? 'approved' : 'pending';
}

/**
 * Rejection before changes before quorum and floor; else pending
 * (docs/design/execution.md#counting). `decisions` may be those of the whole job. Without a policy
 * nothing is evaluated and the round stays pending: what is shown then is folded from the items and
 * decides nothing.
 */
export function foldGate(gate: GateRound, decisions: readonly RecordedDecision[]): GateFold {
  const counted = countedDecisions(gate, decisions);
  const approvals = counted.filter((decision) => decision.outcome === 'approve');
  const rules = rulesOf(gate).map((rule, index): RuleFold => {
    const completed = rule.roles.filter((role) =>
      approvals.some((decision) => decision.ruleIndex === index && decision.role === role),
    );
    const needed = neededRoles(rule);
    return { rule, needed, completed, satisfied: completed.length >= needed };
  });
  const approvers = distinctPeople(approvals.map((decision) => decision.person));
  const floorMet = approvers.length >= (gate.policy.minDistinctApprovers ?? 0);
  const isApproved = floorMet && rules.every((rule) => rule.satisfied);
  return {
    status: gate.policy.rules.length === 0 ? 'pending' : statusFrom(counted, isApproved),
    rules,
    approvers,
    floorMet,
  };
}

/**
 * The decision whose task opens again: every task of the round is done and the floor is not met, so
 * the task that was completed last among those whose person also completed another one goes to
 * somebody else. Null: nothing to reopen, or nobody completed two.
 */
export function decisionToReopen(
  fold: GateFold,
  gate: GateRound,
  tasks: readonly ReviewItem[],
  decisions: readonly RecordedDecision[],
) {
  if (fold.status !== 'pending' || fold.floorMet || tasks.some((task) => task.status === 'pending')) return null;
  const approvals = countedDecisions(gate, decisions);
  return (
    approvals.findLast((last) =>
      approvals.some((other) => other.id !== last.id && foldName(other.person) === foldName(last.person)),
    ) ?? null
  );
}
