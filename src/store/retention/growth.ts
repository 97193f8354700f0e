import type { DueAudit, StoreGrowth } from '../../domain/ports/retention.js';
import type { PageLook, RetentionDialect } from './dialect.js';
import { scaleShares } from './shares.js';
import { createSpread } from './spread.js';

/** Of so many runs each is asked whether it may go. */
const JUDGED_RUNS = 500;
/** Runs that are counted: whoever has more of them need not wait for their number. */
const COUNTED_RUNS = 10_000;
/** Of more runs than these a sample tells how many rows they have. */
const SAMPLED_RUNS = 8;
/** About the rows of the sample. */
const LOOK: PageLook = { kind: 'first', pages: 32 };

type GrowthDialect = Pick<RetentionDialect, 'due' | 'ended' | 'size' | 'shares' | 'databaseBytes'>;

/** A few short reads, none of which grows with the store. */
export async function growthOf(dialect: GrowthDialect, before: string): Promise<StoreGrowth> {
  const { bytes, oldest } = await dialect.size();
  return { bytes, oldestRun: oldest, due: await dueIn(dialect, before) };
}

async function dueIn(dialect: GrowthDialect, before: string): Promise<DueAudit> {
  const judged = await dialect.due({ before, after: { at: '', ord: 0 }, limit: JUDGED_RUNS });
  const ids = createSpread<string>(SAMPLED_RUNS);
  for (const { id } of judged) ids.add(id);
  const counted = judged.length < JUDGED_RUNS ? judged.length : await dialect.ended(before, COUNTED_RUNS + 1);
  const runs = Math.min(counted, COUNTED_RUNS);
  return { runs, isMore: counted > COUNTED_RUNS, bytes: await bytesOf(dialect, before, { ids: ids.kept(), runs }) };
}

/** About what so many runs take of the database. */
async function bytesOf(
  dialect: Pick<RetentionDialect, 'shares' | 'databaseBytes'>,
  before: string,
  { ids, runs }: { readonly ids: readonly string[]; readonly runs: number },
): Promise<number> {
  if (runs === 0) return 0;
  const shares = scaleShares(await dialect.shares(ids), runs / ids.length);
  const { freed } = await dialect.databaseBytes(shares, { runs, before, look: LOOK });
  return Math.max(0, freed);
}
