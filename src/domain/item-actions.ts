import type { ItemKind } from './gates.js';

/** What a person does about an item. */
export type ItemAction = 'approve' | 'reject' | 'changes_requested' | 'answer';

/** What settles an item of each kind, in the order in which it is offered; the rest is refused. */
export const ITEM_ACTIONS: Readonly<Record<ItemKind, readonly ItemAction[]>> = {
  role_task: ['approve', 'reject', 'changes_requested'],
  permission: ['approve', 'reject'],
  input: ['answer', 'reject'],
  other: ['approve', 'reject', 'answer'],
};
