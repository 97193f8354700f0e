import type { AuditPlan } from '../../domain/ports/retention.js';
import type { DueRun, RetentionDialect, Shares } from './dialect.js';
import { createTally, duePages, PAGE_RUNS } from './due-pages.js';
import { earlierOf, type Moment } from './moment.js';
import { createRecent } from './recent.js';
import { addShares, chunks, rowsOf, sum } from './shares.js';

/** Digests of one question. */
const DIGESTS = 200;
/**
 * Digests that a plan remembers: the snapshots and files that many runs share need not be asked
 * about again and again.
 */
const JUDGED = 10_000;

/** Counts every row that goes. */
export async function planExactly(dialect: RetentionDialect, moment: Moment): Promise<AuditPlan> {
  const { before, putBefore } = moment;
  const runs = createTally();
  const judged = createRecent(JUDGED);
  const blobs = { count: 0, bytes: 0 };
  let shares: Shares = {};
  const take = async (ids: readonly string[], from: DueRun | null): Promise<void> => {
    shares = addShares(shares, await dialect.shares(ids));
    const named = new Set(await dialect.digests(ids));
    // A run that comes later and names one of these again is not the first to do so.
    const news = [...named].filter((digest) => !judged.seen(digest));
    for (const digests of chunks(news, DIGESTS)) {
      const bytes = await dialect.blobBytes(await dialect.freed({ digests, before, from }), putBefore);
      blobs.count += bytes.length;
      blobs.bytes += sum(bytes);
    }
  };
  await take(await dialect.undone(PAGE_RUNS), null);
  for await (const page of duePages(dialect, { before, limit: PAGE_RUNS })) {
    runs.add(page);
    const ids = page.map(({ id }) => id);
    await take(ids, page[0] ?? null);
  }
  shares = addShares(shares, await sharesBeside(dialect, moment));
  const { freed, now, after } = await dialect.databaseBytes(shares, { runs: runs.count(), before, method: 'exact' });
  return {
    method: 'exact',
    endedBefore: before,
    ...runs.span(),
    rows: rowsOf(shares),
    blobs: blobs.count,
    bytes: { database: freed, blobs: blobs.bytes },
    databaseBytes: { now, after },
  };
}

/** What goes and belongs to no run. */
export async function sharesBeside(dialect: RetentionDialect, moment: Moment): Promise<Shares> {
  const idle = await dialect.idleKnowledge(earlierOf(moment));
  return {
    serve_access: await dialect.accessShare(moment.before),
    knowledge_indexes: { rows: idle.indexes, bytes: 0 },
    knowledge_documents: { rows: idle.documents, bytes: idle.bytes },
  };
}
