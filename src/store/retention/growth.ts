import type { StoreGrowth } from '../../domain/ports/retention.js';
import type { RetentionDialect } from './dialect.js';
import { duePages, PAGE_RUNS } from './due-pages.js';

/** Runs that are counted: whoever has more of them need not wait for their number. */
const COUNTED_RUNS = 10_000;

/** A few short reads. What is due takes a share of the database as it is one of the runs. */
export async function growthOf(dialect: Pick<RetentionDialect, 'due' | 'size'>, before: string): Promise<StoreGrowth> {
  const { bytes, oldest, first, last } = await dialect.size();
  let runs = 0;
  for await (const page of duePages(dialect, { before, limit: PAGE_RUNS })) {
    runs += page.length;
    if (runs > COUNTED_RUNS) break;
  }
  const counted = Math.min(runs, COUNTED_RUNS);
  // Numbers whose runs are gone make the share a little smaller than it is.
  const all = first === null || last === null ? 0 : last - first + 1;
  const share = all === 0 ? 0 : Math.min(1, counted / all);
  return {
    bytes,
    oldestRun: oldest,
    due: { runs: counted, isMore: runs > COUNTED_RUNS, bytes: Math.round(bytes * share) },
  };
}
