import { all, type Program, run, setJobs } from '../program.js';
import type { pruneStatements } from '../sql/prune.js';
import { PRUNE_TABLES, type PruneTable } from '../sql/prune.js';
import type { RemovedSlice, TableShare } from './dialect.js';
import { type PrunedFacts, prunedParams } from './pruned-row.js';

/** What the dialects write differently of a removal. */
export interface RemoveWords {
  readonly PRUNE: ReturnType<typeof pruneStatements>;
  /** The list `@digests`, to stand after FROM. */
  readonly DIGEST_LIST: string;
  /** Removes rows by keys of `PRUNE`. */
  readonly removeRows: (
    table: PruneTable | 'serve_access',
    keys: string,
    params: { readonly limit: number; readonly ids?: readonly string[]; readonly before?: string },
  ) => Program<TableShare>;
  /** Rows of one write, and lines of the access log, which has few indexes. */
  readonly sliceRows: number;
  readonly sliceLines: number;
}

interface Slice {
  readonly ids: readonly string[];
  readonly digests: readonly string[];
  readonly before: string;
}

/**
 * A part of some runs; their jobs go last, together with the permission to remove. The rows of the
 * jobs are locked before anything is judged.
 */
export function* removeSlice(
  words: RemoveWords,
  { ids, digests, before }: Slice,
  now: string,
): Program<RemovedSlice & { readonly bytes: number }> {
  const { PRUNE } = words;
  const taken = yield* record(words, { ids, before, now });
  yield* run(PRUNE.ALLOW_REMOVAL, { ids });
  const opened = (yield* all<{ id: string }>(PRUNE.OPENED, { ids })).map(({ id }) => id);
  const rows: Partial<Record<PruneTable, number>> = {};
  let left = words.sliceRows;
  let bytes = 0;
  for (const table of PRUNE_TABLES) {
    if (left === 0) break;
    const removed = yield* words.removeRows(table, PRUNE.ROW_KEYS(table), { ids: opened, limit: left });
    rows[table] = removed.rows;
    left -= removed.rows;
    bytes += removed.bytes;
  }
  const isDone = left > 0;
  if (opened.length > 0) yield* run(PRUNE.ADD_CANDIDATES(words.DIGEST_LIST), { digests, now });
  yield* run(PRUNE.END_REMOVAL, { ids: opened, isDone: isDone ? 1 : 0 });
  return { rows, isDone, taken, bytes };
}

/** Looked at under the lock: who has gone on with a run meanwhile keeps it. */
function* record(
  { PRUNE }: RemoveWords,
  { ids, before, now }: { readonly ids: readonly string[]; readonly before: string; readonly now: string },
): Program<number> {
  const facts = yield* all<PrunedFacts>(PRUNE.FACTS, { ids, before });
  yield* setJobs(PRUNE.END_STOPPED, { ids: facts.map((fact) => fact.job_id) });
  for (const fact of facts) yield* run(PRUNE.RECORD, prunedParams(fact, now));
  return facts.length;
}

/** A slice of the lines before an instant. */
export function* removeLines(words: RemoveWords, before: string, now: string): Program<TableShare> {
  const { PRUNE, sliceLines: limit } = words;
  yield* run(PRUNE.OPEN_ACCESS, { before, now });
  const removed = yield* words.removeRows('serve_access', PRUNE.ACCESS_KEYS, { before, limit });
  yield* run(PRUNE.CLOSE_ACCESS, { lines: removed.rows });
  return removed;
}
