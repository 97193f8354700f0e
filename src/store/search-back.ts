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
  /** The most positions a read; 0: one read gives everything, for an index answers it. */
  readonly slice: number;
  readonly limit: number;
  /** Time that is left in ms; 0 or less ends the search where it is. Infinity: it has no end. */
  readonly msLeft: () => number;
  /** Lets others have their turn between two reads. */
  readonly nextTurn: () => Promise<void>;
  /** The newest first. */
  readonly read: (range: BackRange) => Promise<readonly EventRecord[]>;
}

/** The first read is short: nobody knows yet how fast they are. */
const FIRST_PART = 8;
/** Fewer positions than these are not worth a read of their own. */
const LEAST_SLICE = 100;

/**
 * How many positions the next read looks at, so that it ends within half of the time that is left:
 * of a file that nobody has read for long a read gives a tenth of what it gives from memory.
 * 0 = the search is over.
 */
function nextSlice(slice: number, last: { readonly tookMs: number; readonly leftMs: number }): number {
  const { tookMs, leftMs } = last;
  if (leftMs <= 0) return 0;
  const fits = tookMs <= 0 ? Number.POSITIVE_INFINITY : Math.floor((slice * leftMs) / (2 * tookMs));
  return fits < LEAST_SLICE ? 0 : Math.min(2 * slice, fits);
}

/**
 * Reads the log back until there is a page, nothing is left, or it is over. `left`: the highest
 * position that nobody has looked at; 0 = none.
 */
export async function searchBack(
  search: BackSearch,
): Promise<{ readonly found: readonly EventRecord[]; readonly left: number }> {
  const { from, limit, msLeft, nextTurn, read } = search;
  const found: EventRecord[] = [];
  let upTo = from;
  let slice = Math.ceil(search.slice / FIRST_PART);
  for (let beforeMs = msLeft(); upTo > 0; ) {
    const after = search.slice === 0 ? 0 : Math.max(0, upTo - slice);
    found.push(...(await read({ after, upTo, limit: limit - found.length })));
    const last = found.at(-1);
    if (found.length >= limit && last !== undefined) return { found, left: last.pos - 1 };
    upTo = after;
    const leftMs = msLeft();
    slice = Math.min(search.slice, nextSlice(slice, { tookMs: beforeMs - leftMs || 0, leftMs }));
    if (upTo === 0 || slice === 0) break;
    beforeMs = leftMs;
    await nextTurn();
  }
  return { found, left: upTo };
}
