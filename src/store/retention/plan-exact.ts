import type { AuditPlan } from '../../domain/ports/retention.js';
import { keepNewest } from '../../lib/keep-newest.js';
import type { DueRun, RetentionDialect, Shares } from './dialect.js';
import { createTally, duePages, PAGE_RUNS } from './due-pages.js';
import type { Moment } from './moment.js';
import { planOf } from './plan-of.js';
import { addShares, chunks, sum } from './shares.js';

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
  return planOf(dialect, moment, { method: 'exact', runs, shares, blobs });
}

/** Remembers the texts that were asked about last, at most `size` of them. */
function createRecent(size: number): { seen(text: string): boolean } {
  const known = new Map<string, true>();
  return {
    /** Whether it was asked about lately; from now on it was. */
    seen(text) {
      const wasThere = known.has(text);
      keepNewest(known, size, [text, true]);
      return wasThere;
    },
  };
}
