import type { RemovedSlice } from '../../retention/dialect.js';
import { type PrunedFacts, prunedParams } from '../../retention/pruned-row.js';
import { PRUNE_TABLES, type PruneTable } from '../../sql/prune.js';
import { isoAt, type SqliteDeps } from '../deps.js';
import { PRUNE, remove } from '../sql/prune.js';
import { DIGEST_LIST } from '../sql/retention.js';
import type { SqlRunner } from '../sql-runner.js';

/**
 * Rows of one write: with their indexes a slice stays below 50 ms (docs/design/journal.md#sqlite).
 */
const SLICE_ROWS = 400;
/** Lines of the access log, which has few indexes. */
const SLICE_LINES = 2_000;

interface Slice {
  readonly ids: readonly string[];
  readonly digests: readonly string[];
  readonly before: string;
}

/** A part of some runs; their jobs go last, together with the door. */
export function removeSlice(deps: SqliteDeps, { ids, digests, before }: Slice): Promise<RemovedSlice> {
  const list = { ids: JSON.stringify(ids) };
  return deps.queue.run(['run.remove'], (sql) => {
    const now = isoAt(deps.clock.now());
    const taken = record(sql, { ...list, before, now });
    sql.run(PRUNE.OPEN_DOOR, list);
    const opened = sql.all<{ id: string }>(PRUNE.OPENED, list).map(({ id }) => id);
    const rows: Partial<Record<PruneTable, number>> = {};
    const open = { ids: JSON.stringify(opened) };
    let left = SLICE_ROWS;
    for (const table of PRUNE_TABLES) {
      if (left === 0) break;
      const removed = sql.run(remove(table, PRUNE.ROW_KEYS(table)), { ...open, limit: left });
      rows[table] = removed;
      left -= removed;
    }
    const isDone = left > 0;
    if (opened.length > 0) sql.run(PRUNE.ADD_CANDIDATES(DIGEST_LIST), { digests: JSON.stringify(digests), now });
    sql.run(PRUNE.CLOSE_DOOR, { ...open, isDone: isDone ? 1 : 0 });
    return { rows, isDone, taken };
  });
}

/** Looked at under the lock: who has gone on with a run meanwhile keeps it. */
function record(sql: SqlRunner, of: { readonly ids: string; readonly before: string; readonly now: string }): number {
  const facts = sql.all<PrunedFacts>(PRUNE.FACTS, { ids: of.ids, before: of.before });
  sql.run(PRUNE.END_STOPPED, { ids: JSON.stringify(facts.map((fact) => fact.job_id)) });
  for (const fact of facts) sql.run(PRUNE.RECORD, prunedParams(fact, of.now));
  return facts.length;
}

export async function removeAccess(deps: SqliteDeps, before: string): Promise<number> {
  const found = await deps.read((sql) => sql.get<{ found: number }>(PRUNE.ANY_ACCESS, { before }));
  if (found === undefined) return 0;
  return deps.queue.run(['run.remove'], (sql) => {
    sql.run(PRUNE.OPEN_ACCESS, { before, now: isoAt(deps.clock.now()) });
    const lines = sql.run(remove('serve_access', PRUNE.ACCESS_KEYS), { before, limit: SLICE_LINES });
    sql.run(PRUNE.CLOSE_ACCESS, { lines });
    return lines;
  });
}
