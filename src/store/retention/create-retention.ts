import type { AuditAge, AuditPlan, AuditRemoval, PruneProgress, RetentionStore } from '../../domain/ports/retention.js';
import { BLOB_GRACE_MS } from '../blob-grace.js';
import { PRUNE_TABLES } from '../sql/prune.js';
import type { DueRun, RetentionDialect, Shares, TableShare } from './dialect.js';
import { createRecent } from './recent.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE = 500;
/** Digests of one question. */
const DIGESTS = 200;
/** Digests that a removal has put aside before it looks at their blobs. */
const KEPT_DIGESTS = 2_000;
/**
 * Digests that a plan remembers: the snapshots and files that many runs share need not be asked
 * about again and again.
 */
const JUDGED = 10_000;

interface Moment {
  readonly before: string;
  /** A blob that was put later is left alone: somebody may be about to name it (blob-grace.ts). */
  readonly putBefore: string;
}

/** Removing whole runs, the same on every database. */
export function createRetention(dialect: RetentionDialect): RetentionStore {
  const momentOf = async ({ olderThanDays }: AuditAge): Promise<Moment> => {
    const nowMs = Date.parse(await dialect.now());
    return { before: isoAt(nowMs - olderThanDays * DAY_MS), putBefore: isoAt(nowMs - BLOB_GRACE_MS) };
  };
  return {
    plan: async (age) => plan(dialect, await momentOf(age)),
    prune: async (age, onProgress) => prune(dialect, await momentOf(age), onProgress),
    due: async (age) => dialect.countDue((await momentOf(age)).before),
    pruned: (jobId) => dialect.pruned(jobId),
  };
}

const earlier = (a: string, b: string): string => (a < b ? a : b);
const isoAt = (ms: number): string => new Date(Math.max(0, ms)).toISOString();

async function plan(dialect: RetentionDialect, { before, putBefore }: Moment): Promise<AuditPlan> {
  const runs = tally();
  const judged = createRecent(JUDGED);
  const blobs = { count: 0, bytes: 0 };
  let shares: Shares = {};
  const take = async (ids: readonly string[], from: DueRun | null): Promise<void> => {
    shares = added(shares, await dialect.shares(ids));
    const named = new Set(await dialect.digests(ids));
    // A run that comes later and names one of these again is not the first to do so.
    const news = [...named].filter((digest) => !judged.seen(digest));
    for (const digests of chunks(news, DIGESTS)) {
      const bytes = await dialect.blobBytes(await dialect.freed({ digests, before, from }), putBefore);
      blobs.count += bytes.length;
      blobs.bytes += sum(bytes);
    }
  };
  await take(await dialect.undone(PAGE), null);
  for await (const page of duePages(dialect, before, PAGE)) {
    runs.add(page);
    const ids = page.map(({ id }) => id);
    await take(ids, page[0] ?? null);
  }
  const idle = await dialect.idleKnowledge(earlier(before, putBefore));
  shares = added(shares, {
    serve_access: await dialect.accessShare(before),
    knowledge_indexes: { rows: idle.indexes, bytes: 0 },
    knowledge_documents: { rows: idle.documents, bytes: idle.bytes },
  });
  const { freed, now, after } = await dialect.databaseBytes(shares, { runs: runs.count(), before });
  return {
    endedBefore: before,
    ...runs.span(),
    rows: Object.fromEntries(Object.entries(shares).map(([table, share]) => [table, share.rows])),
    blobs: blobs.count,
    bytes: { database: freed, blobs: blobs.bytes },
    databaseBytes: { now, after },
  };
}

async function prune(
  dialect: RetentionDialect,
  { before, putBefore }: Moment,
  onProgress: PruneProgress,
): Promise<AuditRemoval> {
  const usedBefore = await dialect.usedBytes();
  // Before the runs: those that go now are looked at the next time, as a plan looks at them.
  const idle = await dialect.removeIdleKnowledge(earlier(before, putBefore));
  const named = new Set<string>();
  const blobs = { count: 0, bytes: 0 };
  let rows: Readonly<Record<string, number>> = Object.fromEntries(PRUNE_TABLES.map((table) => [table, 0]));
  let taken = 0;
  /** What a later run still names stays, and is looked at again when that one goes. */
  const removeBlobs = async (): Promise<void> => {
    for (const digests of chunks([...named], DIGESTS)) {
      const bytes = await dialect.removeBlobs(digests, putBefore);
      blobs.count += bytes.length;
      blobs.bytes += sum(bytes);
    }
    named.clear();
  };
  const removeBatch = async (ids: readonly string[]): Promise<void> => {
    const digests = [...new Set(await dialect.digests(ids))];
    for (let isDone = false; !isDone; ) {
      const slice = await dialect.removeSlice({ ids, digests, before });
      rows = addedRows(rows, slice.rows);
      taken += slice.taken;
      isDone = slice.isDone;
    }
    for (const digest of digests) named.add(digest);
    if (named.size >= KEPT_DIGESTS) await removeBlobs();
  };
  for (
    let left = await dialect.undone(dialect.batchRuns);
    left.length > 0;
    left = await dialect.undone(dialect.batchRuns)
  )
    await removeBatch(left);
  const runs = tally();
  const of = await dialect.countDue(before);
  for await (const page of duePages(dialect, before, dialect.batchRuns)) {
    const had = taken;
    await removeBatch(page.map(({ id }) => id));
    // One that somebody has gone on with meanwhile is no longer due.
    runs.add(taken - had === page.length ? page : await removedOf(dialect, page));
    onProgress({ runs: runs.count(), of });
  }
  let lines = 0;
  for (let removed = await dialect.removeAccess(before); removed > 0; removed = await dialect.removeAccess(before))
    lines += removed;
  await removeBlobs();
  await dialect.reclaim();
  return {
    endedBefore: before,
    ...runs.span(),
    rows: { ...rows, serve_access: lines, knowledge_indexes: idle.indexes, knowledge_documents: idle.documents },
    blobs: blobs.count,
    bytes: { database: usedBefore - (await dialect.usedBytes()), blobs: blobs.bytes },
  };
}

async function removedOf(dialect: RetentionDialect, page: readonly DueRun[]): Promise<readonly DueRun[]> {
  const found = await Promise.all(page.map(async (run) => ((await dialect.pruned(run.id)) === null ? null : run)));
  return found.filter((run) => run !== null);
}

/**
 * In the order in which they ended; what a page holds may be removed before the next is asked for.
 */
async function* duePages(dialect: RetentionDialect, before: string, limit: number): AsyncGenerator<readonly DueRun[]> {
  let after: Pick<DueRun, 'at' | 'ord'> = { at: '', ord: 0 };
  for (;;) {
    const page = await dialect.due({ before, after, limit });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last;
  }
}

/** How many there were, and the first and the last: of some million runs nothing else is kept. */
function tally() {
  let [count, oldest, newest]: [number, string | null, string | null] = [0, null, null];
  return {
    add(runs: readonly DueRun[]): void {
      count += runs.length;
      oldest ??= runs.at(0)?.at ?? null;
      newest = runs.at(-1)?.at ?? newest;
    },
    count: () => count,
    span: (): Pick<AuditRemoval, 'runs' | 'oldest' | 'newest'> => ({ runs: count, oldest, newest }),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

function added(a: Shares, b: Shares): Shares {
  const none: TableShare = { rows: 0, bytes: 0 };
  const tables = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries(
    [...tables].map((table) => {
      const [one, other] = [a[table] ?? none, b[table] ?? none];
      return [table, { rows: one.rows + other.rows, bytes: one.bytes + other.bytes }];
    }),
  );
}

function addedRows(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]),
  );
}

function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
