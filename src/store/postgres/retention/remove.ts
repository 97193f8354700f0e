import type { RemovedSlice, TableShare } from '../../retention/dialect.js';
import { type PrunedFacts, prunedParams } from '../../retention/pruned-row.js';
import { PRUNE_TABLES, type PruneTable } from '../../sql/prune.js';
import type { PostgresDeps } from '../deps.js';
import { PRUNE, REMOVE } from '../sql/prune.js';
import { DIGEST_LIST } from '../sql/retention.js';
import type { Transaction } from '../transaction.js';

/** Rows of one write: locks are held for tens of milliseconds. */
const SLICE_ROWS = 4_000;

interface Slice {
  readonly ids: readonly string[];
  readonly digests: readonly string[];
  readonly before: string;
}

/**
 * A part of some runs; their jobs go last, together with the door. The rows of the jobs are locked
 * before anything is judged.
 */
export function removeSlice(deps: PostgresDeps, slice: Slice): Promise<RemovedSlice & { readonly bytes: number }> {
  return deps.queue.run({ writes: ['run.remove'], jobs: slice.ids, work: (tx) => remove(tx, slice) });
}

async function remove(
  tx: Transaction,
  { ids, digests, before }: Slice,
): Promise<RemovedSlice & { readonly bytes: number }> {
  const taken = await record(tx, ids, before);
  await tx.run(PRUNE.OPEN_DOOR, { ids });
  const opened = (await tx.all<{ id: string }>(PRUNE.OPENED, { ids })).map(({ id }) => id);
  const rows: Partial<Record<PruneTable, number>> = {};
  let left = SLICE_ROWS;
  let bytes = 0;
  for (const table of PRUNE_TABLES) {
    if (left === 0) break;
    const removed = await tx.get<TableShare>(REMOVE(table, PRUNE.ROW_KEYS(table)), { ids: opened, limit: left });
    rows[table] = removed?.rows ?? 0;
    left -= removed?.rows ?? 0;
    bytes += removed?.bytes ?? 0;
  }
  const isDone = left > 0;
  if (opened.length > 0) await tx.run(PRUNE.ADD_CANDIDATES(DIGEST_LIST), { digests, now: tx.now });
  await tx.run(PRUNE.CLOSE_DOOR, { ids: opened, isDone: isDone ? 1 : 0 });
  return { rows, isDone, taken, bytes };
}

async function record(tx: Transaction, ids: readonly string[], before: string): Promise<number> {
  const facts = await tx.all<PrunedFacts>(PRUNE.FACTS, { ids, before });
  await tx.run(PRUNE.END_STOPPED, { ids: facts.map((fact) => fact.job_id) });
  for (const fact of facts) await tx.run(PRUNE.RECORD, prunedParams(fact, tx.now));
  return facts.length;
}

export async function removeAccess(deps: PostgresDeps, before: string): Promise<TableShare> {
  const nothing: TableShare = { rows: 0, bytes: 0 };
  if ((await deps.read((sql) => sql.get(PRUNE.ANY_ACCESS, { before }))) === undefined) return nothing;
  const work = async (tx: Transaction): Promise<TableShare> => {
    await tx.run(PRUNE.OPEN_ACCESS, { before, now: tx.now });
    const removed =
      (await tx.get<TableShare>(REMOVE('serve_access', PRUNE.ACCESS_KEYS), { before, limit: SLICE_ROWS })) ?? nothing;
    await tx.run(PRUNE.CLOSE_ACCESS, { lines: removed.rows });
    return removed;
  };
  return deps.queue.run({ writes: ['run.remove'], jobs: [], work });
}
