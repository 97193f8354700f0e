import type { AuditRemoval, PruneProgress } from '../../domain/ports/retention.js';
import { PRUNE_TABLES } from '../sql/prune.js';
import type { DueRun, RetentionDialect } from './dialect.js';
import { createTally, duePages, PAGE_RUNS } from './due-pages.js';
import { earlierOf, type Moment } from './moment.js';
import { chunks, sum } from './shares.js';

/** Digests of one question. */
const DIGESTS = 200;
/** Digests that a removal has put aside before it looks at their blobs. */
const KEPT_DIGESTS = 2_000;

type Rows = Readonly<Record<string, number>>;

/** Who watches a removal. */
export interface Removing {
  readonly onProgress: PruneProgress;
  readonly signal?: AbortSignal | undefined;
}

/** Removes what is due, in short writes; rejects between two of them once the signal is aborted. */
export async function pruneRuns(
  dialect: RetentionDialect,
  moment: Moment,
  { onProgress, signal }: Removing,
): Promise<AuditRemoval> {
  const { before } = moment;
  const usedBefore = await dialect.usedBytes();
  // Before the runs: those that go now are looked at the next time, as a plan looks at them.
  const idle = await dialect.removeIdleKnowledge(earlierOf(moment));
  const batches = createBatches(dialect, moment, signal);
  await batches.finish();
  const of = await countDue(dialect, before, signal);
  const runs = createTally();
  for await (const page of duePages(dialect, { before, limit: dialect.batchRuns, signal })) {
    const taken = await batches.remove(page.map(({ id }) => id));
    // One that somebody has gone on with meanwhile is no longer due.
    runs.add(taken === page.length ? page : await removedOf(dialect, page));
    onProgress({ runs: runs.count(), of });
  }
  let lines = 0;
  for (let removed = 1; removed > 0; lines += removed) {
    signal?.throwIfAborted();
    removed = await dialect.removeAccess(before);
  }
  await batches.removeBlobs();
  await dialect.reclaim(signal);
  const { rows, blobs } = batches.done();
  return {
    endedBefore: before,
    ...runs.span(),
    rows: { ...rows, serve_access: lines, knowledge_indexes: idle.indexes, knowledge_documents: idle.documents },
    blobs: blobs.count,
    bytes: { database: usedBefore - (await dialect.usedBytes()), blobs: blobs.bytes },
  };
}

async function countDue(dialect: RetentionDialect, before: string, signal: AbortSignal | undefined): Promise<number> {
  let runs = 0;
  for await (const page of duePages(dialect, { before, limit: PAGE_RUNS, signal })) runs += page.length;
  return runs;
}

/** Removes batches of runs, and the blobs that they named once enough of them are put aside. */
function createBatches(dialect: RetentionDialect, { before, putBefore }: Moment, signal: AbortSignal | undefined) {
  const named = new Set<string>();
  const blobs = { count: 0, bytes: 0 };
  let rows: Rows = Object.fromEntries(PRUNE_TABLES.map((table) => [table, 0]));
  /** What a later run still names stays, and is looked at again when that one goes. */
  const removeBlobs = async (): Promise<void> => {
    for (const digests of chunks([...named], DIGESTS)) {
      signal?.throwIfAborted();
      const bytes = await dialect.removeBlobs(digests, putBefore);
      blobs.count += bytes.length;
      blobs.bytes += sum(bytes);
    }
    named.clear();
  };
  /** How many runs it has taken in for the first time. */
  const remove = async (ids: readonly string[]): Promise<number> => {
    const digests = [...new Set(await dialect.digests(ids))];
    let taken = 0;
    for (let isDone = false; !isDone; ) {
      signal?.throwIfAborted();
      const slice = await dialect.removeSlice({ ids, digests, before });
      rows = addRows(rows, slice.rows);
      taken += slice.taken;
      isDone = slice.isDone;
    }
    for (const digest of digests) named.add(digest);
    if (named.size >= KEPT_DIGESTS) await removeBlobs();
    return taken;
  };
  /** What an interrupted removal has begun with. */
  const finish = async (): Promise<void> => {
    for (;;) {
      const left = await dialect.undone(dialect.batchRuns);
      if (left.length === 0) return;
      await remove(left);
    }
  };
  return { remove, finish, removeBlobs, done: () => ({ rows, blobs }) };
}

async function removedOf(dialect: RetentionDialect, page: readonly DueRun[]): Promise<readonly DueRun[]> {
  const found = await Promise.all(page.map(async (run) => ((await dialect.pruned(run.id)) === null ? null : run)));
  return found.filter((run) => run !== null);
}

const addRows = (a: Rows, b: Rows): Rows =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]),
  );
