/** A leaf of a table or index. */
export interface Leaf {
  readonly cells: number;
  /** Bytes in use. */
  readonly bytes: number;
}

export interface TreeForecast {
  readonly leaves: readonly Leaf[];
  /** An index keeps one entry between two leaves, a table does not. */
  readonly hasEntriesBetween: boolean;
  /**
   * One for each row of the table, in its order: 1 = it goes. An index holds its rows in about the
   * same mixture.
   */
  readonly goes: Uint8Array;
  readonly pageBytes: number;
}

/** SQLite looks at the neighbours of a page once less than this part of it is in use. */
const MERGE_BELOW = 1 / 3;
const SIBLINGS = 3;

/**
 * How many leaves a tree gives back: pages are emptied row by row, and one that is nearly empty is
 * merged with its neighbours where they need fewer pages.
 */
export function freedLeaves({ leaves, hasEntriesBetween, goes, pageBytes }: TreeForecast): number {
  const entries = leaves.reduce(
    (sum, { cells }) => sum + cells,
    hasEntriesBetween ? Math.max(0, leaves.length - 1) : 0,
  );
  if (entries === 0) return 0;
  const goesAt = (entry: number): number =>
    goes[Math.min(goes.length - 1, Math.floor((entry * goes.length) / entries))] ?? 0;
  let entry = 0;
  const left = leaves.map(({ cells, bytes }) => {
    let kept = 0;
    for (let cell = 0; cell < cells; cell++) kept += 1 - goesAt(entry++);
    if (hasEntriesBetween) entry += 1;
    return cells === 0 ? bytes : (bytes * kept) / cells;
  });
  return leaves.length - merged(left, pageBytes);
}

/**
 * Leaves that remain: from left to right, each group of neighbours becomes as few pages as its
 * content needs.
 */
function merged(bytes: readonly number[], pageBytes: number): number {
  const done: number[] = [];
  const ahead = [...bytes].reverse();
  for (let page = ahead.pop(); page !== undefined; page = ahead.pop()) {
    if (page >= pageBytes * MERGE_BELOW) {
      done.push(page);
      continue;
    }
    const group = [done.pop(), page, ahead.pop()].filter((one) => one !== undefined);
    const content = group.reduce((sum, one) => sum + one, 0);
    const needed = Math.max(1, Math.ceil(content / pageBytes));
    if (needed >= group.length || group.length > SIBLINGS) {
      done.push(...group);
      continue;
    }
    // What was merged may be nearly empty still: it is looked at again.
    const each = content / needed;
    if (needed === 1) ahead.push(each);
    else done.push(...Array.from({ length: needed }, () => each));
    if (needed === 1 && ahead.length === 1 && done.length === 0) return 1;
  }
  return Math.max(1, done.length);
}
