import type { UsageFilter, UsageShare } from '../../../domain/ports/usage.js';
import { boundsOf, foldUsage, type UsageRow } from '../../model-usage.js';
import type { SqliteDeps } from '../deps.js';
import { headOf } from '../read-newest.js';
import { CALLS_ON, usageOfRange, usageOfRun } from '../sql/usage.js';

/**
 * Calls that one read folds: some milliseconds, so that a long log does not hold up the process.
 */
const CALLS = 4_000;

/** Folded up to where the log ended when it was asked. */
export async function usageOf(deps: SqliteDeps, filter: UsageFilter): Promise<readonly UsageShare[]> {
  const { jobId, by = 'model' } = filter;
  const asked = boundsOf(filter);
  if (jobId !== undefined)
    return foldUsage(await deps.read((sql) => sql.all<UsageRow>(usageOfRun(by), { jobId, ...asked })), by);
  const rows: UsageRow[] = [];
  const head = await deps.read(headOf);
  let after = 0;
  while (after < head) {
    const from = after;
    after = await deps.read((sql) => {
      const upTo = Math.min(head, sql.get<{ pos: number }>(CALLS_ON, { after: from, calls: CALLS })?.pos ?? head);
      rows.push(...sql.all<UsageRow>(usageOfRange(by), { after: from, upTo, ...asked }));
      return upTo;
    });
    if (after < head) await deps.pacing.nextTurn();
  }
  return foldUsage(rows, by);
}
