import type { RetentionDialect } from '../../retention/dialect.js';
import { duePages, PAGE_RUNS } from '../../retention/due-pages.js';
import { PRUNE_TABLES, type PruneTable } from '../../sql/prune.js';
import type { SqliteDeps } from '../deps.js';
import { LINES, ROWS_WITH_RUN, UNDONE_ORDS } from '../sql/prune.js';

const FIRST_BYTES = 1024;

/** Yes or no for each of many numbers from 0, in one bit each: of a million of them 125 kB. */
interface Bits {
  has(n: number): boolean;
  add(n: number): void;
}

function createBits(): Bits {
  let bytes = new Uint8Array(FIRST_BYTES);
  return {
    has: (n) => ((bytes[n >>> 3] ?? 0) & (1 << (n & 7))) !== 0,
    add(n) {
      const at = n >>> 3;
      if (at >= bytes.length) {
        const wider = new Uint8Array(Math.max(bytes.length * 2, at + 1));
        wider.set(bytes);
        bytes = wider;
      }
      bytes[at] = (bytes[at] ?? 0) | (1 << (n & 7));
    },
  };
}

/** Rows of one look. */
const ROWS = 5_000;

/** Numbers of the runs that are due, and of those that an interrupted removal has begun with. */
export async function goingRuns(
  { read, due }: Pick<SqliteDeps, 'read'> & Pick<RetentionDialect, 'due'>,
  before: string,
): Promise<Bits> {
  const runs = createBits();
  for (const { ord } of await read((sql) => sql.all<{ ord: number }>(UNDONE_ORDS, {}))) runs.add(ord);
  for await (const page of duePages({ due }, { before, limit: PAGE_RUNS })) for (const { ord } of page) runs.add(ord);
  return runs;
}

/** Rows of a table in its order, and which of them go. */
export interface GoingRows {
  readonly count: number;
  goes(row: number): boolean;
}

interface RowsAsked {
  readonly table: string;
  readonly runs: Bits;
  readonly before: string;
}

export async function goingRows(
  { read, pacing }: Pick<SqliteDeps, 'read' | 'pacing'>,
  { table, runs, before }: RowsAsked,
): Promise<GoingRows> {
  const going = createBits();
  let count = 0;
  for (let after: number | undefined = Number.MIN_SAFE_INTEGER; after !== undefined; ) {
    const from: number = after;
    const page = await read((sql) => {
      if (!isPruned(table)) return sql.all<{ id: number; goes: number }>(LINES, { before, after: from, limit: ROWS });
      const found = sql.all<{ id: number; run: number | null }>(ROWS_WITH_RUN(table), { after: from, limit: ROWS });
      return found.map(({ id, run }) => ({ id, goes: run !== null && runs.has(run) ? 1 : 0 }));
    });
    for (const row of page) {
      if (row.goes !== 0) going.add(count);
      count += 1;
    }
    after = page.at(-1)?.id;
    await pacing.nextTurn();
  }
  return { count, goes: going.has };
}

const isPruned = (table: string): table is PruneTable => (PRUNE_TABLES as readonly string[]).includes(table);
