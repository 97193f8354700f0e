/**
 * Refusals of items that are not role tasks, those of refusals-of-runs.test.ts, and those of an
 * entry point that judged nothing.
 */
export const ELSEWHERE = [
  'role_task',
  'action_unfit',
  'answer_unfit',
  'no_approver',
  'unreadable',
  'is_earlier_author',
  'tier_too_low',
  'registry_broken',
] as const;
