import type { AuditAge, AuditPlan, AuditRemoval, PruneProgress, RetentionStore } from '../../domain/ports/retention.js';
import { BLOB_GRACE_MS } from '../blob-grace.js';
import { PRUNE_TABLES } from '../sql/prune.js';
import type { DueRun, RetentionDialect, Shares, TableShare } from './dialect.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE = 500;
/** Digests of one question. */
const DIGESTS = 200;

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

const isoAt = (ms: number): string => new Date(Math.max(0, ms)).toISOString();

async function plan(dialect: RetentionDialect, { before, putBefore }: Moment): Promise<AuditPlan> {
  const runs: DueRun[] = [];
  const named = new Map<string, number>();
  let shares: Shares = {};
  const take = async (ids: readonly string[]): Promise<void> => {
    shares = added(shares, await dialect.shares(ids));
    for (const digest of await dialect.digests(ids)) named.set(digest, (named.get(digest) ?? 0) + 1);
  };
  await take(await dialect.undone(PAGE));
  for await (const page of duePages(dialect, before, PAGE)) {
    runs.push(...page);
    await take(page.map(({ id }) => id));
  }
  const blobs: number[] = [];
  for (const digests of chunks([...named.keys()], DIGESTS)) {
    const all = await dialect.references(digests);
    const free = digests.filter((digest) => all.get(digest) === named.get(digest));
    blobs.push(...(await dialect.blobBytes(free, putBefore)));
  }
  shares = added(shares, { serve_access: await dialect.accessShare(before) });
  const { freed, now, after } = await dialect.databaseBytes(shares, runs.length);
  return {
    ...span(before, runs),
    rows: Object.fromEntries(Object.entries(shares).map(([table, share]) => [table, share.rows])),
    blobs: blobs.length,
    bytes: { database: freed, blobs: sum(blobs) },
    databaseBytes: { now, after },
  };
}

async function prune(dialect: RetentionDialect, { before, putBefore }: Moment, onProgress: PruneProgress): Promise<AuditRemoval> {
  const usedBefore = await dialect.usedBytes();
  const digests = new Set<string>();
  let rows: Readonly<Record<string, number>> = Object.fromEntries(PRUNE_TABLES.map((table) => [table, 0]));
  let taken = 0;
  const removeBatch = async (ids: readonly string[]): Promise<void> => {
    const named = [...new Set(await dialect.digests(ids))];
    for (const digest of named) digests.add(digest);
    for (let isDone = false; !isDone; ) {
      const slice = await dialect.removeSlice({ ids, digests: named, before });
      rows = addedRows(rows, slice.rows);
      taken += slice.taken;
      isDone = slice.isDone;
    }
  };
  for (let left = await dialect.undone(dialect.batchRuns); left.length > 0; left = await dialect.undone(dialect.batchRuns)) await removeBatch(left);
  const runs: DueRun[] = [];
  const of = await dialect.countDue(before);
  for await (const page of duePages(dialect, before, dialect.batchRuns)) {
    const had = taken;
    await removeBatch(page.map(({ id }) => id));
    // One that somebody has gone on with meanwhile is no longer due.
    if (taken - had === page.length) runs.push(...page);
    else runs.push(...(await removedOf(dialect, page)));
    onProgress({ runs: runs.length, of });
  }
  let lines = 0;
  for (let removed = await dialect.removeAccess(before); removed > 0; removed = await dialect.removeAccess(before)) lines += removed;
  const blobs: number[] = [];
  for (const some of chunks([...digests], DIGESTS)) blobs.push(...(await dialect.removeBlobs(some, putBefore)));
  await dialect.reclaim();
  return {
    ...span(before, runs),
    rows: { ...rows, serve_access: lines },
    blobs: blobs.length,
    bytes: { database: usedBefore - (await dialect.usedBytes()), blobs: sum(blobs) },
  };
}

async function removedOf(dialect: RetentionDialect, page: readonly DueRun[]): Promise<readonly DueRun[]> {
  const found = await Promise.all(page.map(async (run) => ((await dialect.pruned(run.id)) === null ? null : run)));
  return found.filter((run) => run !== null);
}

/** In the order in which they ended; what a page holds may be removed before the next is asked for. */
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

const span = (endedBefore: string, runs: readonly DueRun[]): Pick<AuditRemoval, 'endedBefore' | 'runs' | 'oldest' | 'newest'> => ({
  endedBefore,
  runs: runs.length,
  oldest: runs.at(0)?.at ?? null,
  newest: runs.at(-1)?.at ?? null,
});

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

function addedRows(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries([...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}

function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
