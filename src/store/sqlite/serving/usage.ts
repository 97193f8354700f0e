import type { ModelUsage, ServingStore } from '../../../domain/ports/serving.js';
import { boundsOf, foldUsage, type UsageRow } from '../../model-usage.js';
import type { SqliteDeps } from '../deps.js';
import { headOf } from '../read-newest.js';
import { CALLS_ON, USAGE_OF_RANGE, USAGE_OF_RUN } from '../sql/usage.js';

/**
 * Calls that one read folds: some milliseconds, so that a long log does not hold up the process.
 */
const CALLS = 4_000;

/** Folded up to where the log ended when it was asked. */
export async function usageOf(
  deps: SqliteDeps,
  filter: Parameters<ServingStore['usage']>[0],
): Promise<readonly ModelUsage[]> {
  const { jobId } = filter;
  const { since, until } = boundsOf(filter);
  if (jobId !== undefined)
    return foldUsage(await deps.read((sql) => sql.all<UsageRow>(USAGE_OF_RUN, { jobId, since, until })));
  const rows: UsageRow[] = [];
  const head = await deps.read(headOf);
  let after = 0;
  while (after < head) {
    const from = after;
    after = await deps.read((sql) => {
      const upTo = Math.min(head, sql.get<{ pos: number }>(CALLS_ON, { after: from, calls: CALLS })?.pos ?? head);
      rows.push(...sql.all<UsageRow>(USAGE_OF_RANGE, { after: from, upTo, since, until }));
      return upTo;
    });
    if (after < head) await deps.pacing.nextTurn();
  }
  return foldUsage(rows);
}
