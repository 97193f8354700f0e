import type { DueRun } from '../../retention/dialect.js';
import { PRUNE_TABLES, type PruneTable } from '../../sql/prune.js';
import type { SqliteDeps } from '../deps.js';
import { LINES, PRUNE, ROWS_WITH_RUN, UNDONE_ORDS } from '../sql/prune.js';

/** Rows of one look. */
const ROWS = 20_000;
const RUNS = 5_000;

/** Whether the run of a number goes: one bit for each, so that a million of them are 125 kB. */
export interface GoingRuns {
  has(ord: number): boolean;
}

/** The runs that are due, and those that an interrupted removal has begun with. */
export async function goingRuns({ read, pacing }: SqliteDeps, before: string): Promise<GoingRuns> {
  let bits = new Uint8Array(1024);
  const add = ({ ord }: { readonly ord: number }): void => {
    const at = ord >>> 3;
    if (at >= bits.length) {
      const wider = new Uint8Array(Math.max(bits.length * 2, at + 1));
      wider.set(bits);
      bits = wider;
    }
    bits[at] = (bits[at] ?? 0) | (1 << (ord & 7));
  };
  for (const undone of await read((sql) => sql.all<{ ord: number }>(UNDONE_ORDS, {}))) add(undone);
  for (let last: Pick<DueRun, 'at' | 'ord'> | undefined = { at: '', ord: 0 }; last !== undefined; ) {
    const after: Pick<DueRun, 'at' | 'ord'> = last;
    const page = await read((sql) => sql.all<DueRun>(PRUNE.DUE, { before, at: after.at, ord: after.ord, limit: RUNS }));
    page.forEach(add);
    last = page.at(-1);
    await pacing.nextTurn();
  }
  return { has: (ord) => ((bits[ord >>> 3] ?? 0) & (1 << (ord & 7))) !== 0 };
}

interface RowsAsked {
  readonly table: string;
  /** How many there are. */
  readonly rows: number;
  readonly runs: GoingRuns;
  readonly before: string;
}

/** One for each row of a table, in its order: 1 = it goes. */
export async function goingRows(
  { read, pacing }: SqliteDeps,
  { table, rows, runs, before }: RowsAsked,
): Promise<Uint8Array> {
  const goes = new Uint8Array(rows);
  let count = 0;
  for (let after = Number.MIN_SAFE_INTEGER; count < rows; ) {
    const page = await read((sql) => {
      if (!isPruned(table)) return sql.all<{ id: number; goes: number }>(LINES, { before, after, limit: ROWS });
      const found = sql.all<{ id: number; run: number | null }>(ROWS_WITH_RUN(table), { after, limit: ROWS });
      return found.map(({ id, run }) => ({ id, goes: run !== null && runs.has(run) ? 1 : 0 }));
    });
    const last = page.at(-1);
    if (last === undefined) break;
    // What came since the rows were counted is not among them.
    for (const row of page.slice(0, rows - count)) goes[count++] = row.goes;
    after = last.id;
    await pacing.nextTurn();
  }
  return goes.subarray(0, count);
}

const isPruned = (table: string): table is PruneTable => (PRUNE_TABLES as readonly string[]).includes(table);
