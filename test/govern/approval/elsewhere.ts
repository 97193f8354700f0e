/** Refusals of items that are no role tasks, and those of refusals-of-runs.test.ts. */
export const ELSEWHERE = [
  'role_task',
  'action_unfit',
  'answer_unfit',
  'no_approver',
  'unreadable',
  'is_earlier_author',
] as const;
