import type { EventRecord } from './event-row.js';

/** Positions that one read looks at: `after` < position <= `upTo`. */
export interface BackRange {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

export interface BackSearch {
  /** The highest position that is looked at. */
  readonly from: number;
  /** Positions a read; 0: one read gives everything, for an index answers it. */
  readonly slice: number;
  readonly limit: number;
  readonly isOver: () => boolean;
  /** Lets others have their turn between two reads. */
  readonly nextTurn: () => Promise<void>;
  /** The newest first. */
  readonly read: (range: BackRange) => Promise<readonly EventRecord[]>;
}

/**
 * Reads the log back until there is a page, nothing is left, or it is over. `left`: the highest
 * position that nobody has looked at; 0 = none.
 */
export async function searchBack(
  search: BackSearch,
): Promise<{ readonly found: readonly EventRecord[]; readonly left: number }> {
  const { from, slice, limit, isOver, nextTurn, read } = search;
  const found: EventRecord[] = [];
  let upTo = from;
  while (upTo > 0) {
    const after = slice === 0 ? 0 : Math.max(0, upTo - slice);
    found.push(...(await read({ after, upTo, limit: limit - found.length })));
    const last = found.at(-1);
    if (found.length >= limit && last !== undefined) return { found, left: last.pos - 1 };
    upTo = after;
    if (upTo === 0 || isOver()) break;
    await nextTurn();
  }
  return { found, left: upTo };
}
