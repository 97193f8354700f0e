import { sqlState } from './failures.js';
import type { Way } from './transaction-parts.js';

/** Something that was held cannot be written with the rest: nothing of the group counts. */
export class NotTogether extends Error {
  constructor() {
    super('a write of a group cannot be done together with the others');
  }
}

export function requireTogether(isDone: boolean): void {
  if (!isDone) throw new NotTogether();
}

/** unique_violation: an event id or a step is there; division_by_zero: `GroupStatement.whole`. */
const NOT_AS_HELD: readonly (string | null)[] = ['23505', '22012'];

/** What a statement of a group was refused for. `way`: as in `TransactionParts`. */
export const asRefused = (error: unknown, way: Way): unknown =>
  way !== 'singly' && NOT_AS_HELD.includes(sqlState(error)) ? new NotTogether() : error;
