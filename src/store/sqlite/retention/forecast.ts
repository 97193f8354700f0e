import type { GoingRows } from './going.js';

/** A page of a table or index, as dbstat names it. */
export interface TreePage {
  readonly kind: 'leaf' | 'internal' | 'overflow';
  readonly cells: number;
  /** Bytes in use. */
  readonly bytes: number;
  /** `/1c2/000/`; an overflow page has that of its cell: `/1c2/000/00a+000003`. */
  readonly path: string;
}

export interface TreeForecast {
  /** Each page, then the overflow pages of its cells, then the pages below it; looked at once. */
  readonly pages: Iterable<TreePage>;
  /** An index keeps one entry between two leaves, a table does not. */
  readonly hasEntriesBetween: boolean;
  /** Entries of the tree. */
  readonly entries: number;
  /** Of the table. An index holds its rows in about the same mixture. */
  readonly rows: GoingRows;
  readonly pageBytes: number;
}

/**
 * How many pages a tree gives back: leaves are emptied row by row, and one that is nearly empty is
 * merged with its neighbours where they need fewer pages. No page is remembered for longer than its
 * neighbours are looked at.
 */
export function freedPages(tree: TreeForecast): number {
  const seen = { leaves: 0, internal: 0, overflow: 0 };
  const kept = mergedLeaves(keptBytes(tree, seen), tree.pageBytes);
  if (tree.entries === 0) return 0;
  const freed = seen.leaves - kept;
  return freed + (seen.internal * freed) / Math.max(1, seen.leaves) + seen.overflow;
}

/** What is left in each leaf. Of overflow pages only those are counted that go, with their cell. */
function* keptBytes(
  { pages, hasEntriesBetween, entries, rows }: TreeForecast,
  seen: { leaves: number; internal: number; overflow: number },
): Generator<number> {
  const goes = (entry: number): boolean =>
    rows.goes(Math.min(rows.count - 1, Math.floor((entry * rows.count) / entries)));
  let next = 0;
  let leaf = { path: '', first: 0 };
  for (const { kind, cells, bytes, path } of pages) {
    if (kind === 'overflow') {
      if (goes(path.startsWith(leaf.path) ? leaf.first + cellOf(path) : next)) seen.overflow += 1;
      continue;
    }
    if (kind === 'internal') {
      seen.internal += 1;
      continue;
    }
    seen.leaves += 1;
    leaf = { path, first: next };
    let kept = 0;
    for (let cell = 0; cell < cells; cell++) if (!goes(next++)) kept += 1;
    if (hasEntriesBetween) next += 1;
    yield cells === 0 ? bytes : (bytes * kept) / cells;
  }
}

const cellOf = (path: string): number => Number.parseInt(path.slice(path.lastIndexOf('/') + 1), 16);

/** SQLite looks at the neighbours of a page once less than this part of it is in use. */
const MERGE_BELOW = 1 / 3;
const SIBLINGS = 3;
/** Pages that are still looked at from their right: more than a merge ever takes back. */
const NEIGHBOURS = 16;

/**
 * Leaves that remain: from left to right, each group of neighbours becomes as few pages as its
 * content needs.
 */
function mergedLeaves(leaves: Iterator<number>, pageBytes: number): number {
  const done: number[] = [];
  /** Further to the left. */
  let settled = 0;
  const ahead: number[] = [];
  const take = (): number | undefined => {
    const again = ahead.pop();
    if (again !== undefined) return again;
    const next = leaves.next();
    return next.done === true ? undefined : next.value;
  };
  for (let page = take(); page !== undefined; page = take()) {
    while (done.length > NEIGHBOURS) {
      done.shift();
      settled += 1;
    }
    if (page >= pageBytes * MERGE_BELOW) {
      done.push(page);
      continue;
    }
    const group = [done.pop(), page, take()].filter((one) => one !== undefined);
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
  }
  return Math.max(1, settled + done.length);
}
