import type { StoreGrowth } from '../../domain/ports/retention.js';
import type { RetentionDialect } from './dialect.js';
import { duePages, PAGE_RUNS } from './due-pages.js';
import { scaleShares } from './shares.js';
import { createSpread } from './spread.js';

/** Runs that are counted: whoever has more of them need not wait for their number. */
const COUNTED_RUNS = 10_000;
/** Of more runs than these a sample tells how many rows they have. */
const SAMPLED_RUNS = 8;

/** A few short reads, as of a plan that is estimated, with a smaller sample. */
export async function growthOf(
  dialect: Pick<RetentionDialect, 'due' | 'size' | 'shares' | 'databaseBytes'>,
  before: string,
): Promise<StoreGrowth> {
  const { bytes, oldest } = await dialect.size();
  const ids = createSpread<string>(SAMPLED_RUNS);
  let counted = 0;
  for await (const page of duePages(dialect, { before, limit: PAGE_RUNS })) {
    counted += page.length;
    for (const { id } of page) ids.add(id);
    if (counted > COUNTED_RUNS) break;
  }
  const runs = Math.min(counted, COUNTED_RUNS);
  return {
    bytes,
    oldestRun: oldest,
    due: { runs, isMore: counted > COUNTED_RUNS, bytes: await bytesOf(dialect, before, { ids: ids.kept(), runs }) },
  };
}

/** About what so many runs take of the database. */
async function bytesOf(
  dialect: Pick<RetentionDialect, 'shares' | 'databaseBytes'>,
  before: string,
  { ids, runs }: { readonly ids: readonly string[]; readonly runs: number },
): Promise<number> {
  if (runs === 0) return 0;
  const shares = scaleShares(await dialect.shares(ids), runs / ids.length);
  const { freed } = await dialect.databaseBytes(shares, { runs, before, method: 'estimate' });
  return Math.max(0, freed);
}
