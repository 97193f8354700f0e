import type { Wait } from '../domain/wait.js';

/**
 * A park is a value, never a throw (docs/design/journal.md#park): what stands in the place of a
 * result while people decide. The rows that it passes through stay open, siblings go on to their
 * own end, and the same call comes to a result once everything is settled.
 */
export interface Parked {
  /** At least one, in call order, each id once. */
  readonly parked: readonly Wait[];
}

export function isParked<T extends object>(value: T | Parked): value is Parked {
  return 'parked' in value;
}

/**
 * What several branches wait for, in call order; activations that take turns at one gate name it
 * once.
 */
export function mergeWaits(waits: readonly Wait[]): readonly Wait[] {
  const byId = new Map<string, Wait>();
  for (const wait of waits) if (!byId.has(wait.id)) byId.set(wait.id, wait);
  return [...byId.values()];
}
