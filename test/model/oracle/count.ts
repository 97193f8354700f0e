// When a round is decided, and what happens when everybody signed and too few people did
// (docs/design/execution.md#counting).
import type { ApprovalPolicy, ApprovalRule } from '../../../src/domain/gates.js';
import { type Round, type RoundStatus, replaceAt } from './world.js';

function needed({ quorum, roles }: ApprovalRule): number {
  if (quorum === 'all') return roles.length;
  return quorum === 'any' ? 1 : quorum.kOf;
}

/**
 * "Any valid rejection gives rejected; else any valid changes request; else approved when every
 * rule's quorum is met and the floor is met; else pending."
 */
export function statusOf(
  policy: ApprovalPolicy,
  { rules, tasks, signatures }: Pick<Round, 'rules' | 'tasks' | 'signatures'>,
): RoundStatus {
  const counting = signatures.filter(({ stale }) => !stale);
  if (counting.some(({ outcome }) => outcome === 'reject')) return 'rejected';
  if (counting.some(({ outcome }) => outcome === 'changes_requested')) return 'changes-requested';
  const quorate = rules.every(
    (rule, index) => tasks.filter((task) => task.rule === index && task.by >= 0).length >= needed(rule),
  );
  const people = new Set(counting.map(({ person }) => person)).size;
  return quorate && people >= (policy.minDistinctApprovers ?? 0) ? 'approved' : 'pending';
}

/**
 * "All tasks done but the floor not met: the task completed last among those whose person also
 * completed another one reopens; its decision stays as stale." The task that reopens, or -1.
 */
export function reopens(policy: ApprovalPolicy, { tasks, signatures }: Round): number {
  if (tasks.some(({ by }) => by < 0)) return -1;
  const counting = signatures.filter(({ stale }) => !stale);
  if (new Set(counting.map(({ person }) => person)).size >= (policy.minDistinctApprovers ?? 0)) return -1;
  const twice = counting.filter(({ person }) => counting.filter((other) => other.person === person).length > 1);
  return twice[twice.length - 1]?.task ?? -1;
}

export function reopen(round: Round, task: number): Round {
  const old = round.tasks[task];
  if (old === undefined) return round;
  const signature = round.signatures[old.by];
  if (signature === undefined) return round;
  return {
    ...round,
    tasks: replaceAt(round.tasks, task, { ...old, by: -1, reopened: old.reopened + 1 }),
    signatures: replaceAt(round.signatures, old.by, { ...signature, stale: true }),
  };
}
