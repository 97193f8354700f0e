import type { UsageFilter, UsageShare } from '../../../domain/ports/usage.js';
import { boundsOf, daysOf, foldUsage, type UsageRow } from '../../model-usage.js';
import type { SqliteDeps } from '../deps.js';
import { usage, usageOfRun } from '../sql/usage.js';

export async function usageOf(deps: SqliteDeps, filter: UsageFilter): Promise<readonly UsageShare[]> {
  const { jobId, by = 'model' } = filter;
  const asked = boundsOf(filter);
  const { from, before, cut } = daysOf(asked);
  const rows = await deps.read((sql) =>
    jobId === undefined
      ? sql.all<UsageRow>(usage(by), { ...asked, from, before, cut: JSON.stringify(cut) })
      : sql.all<UsageRow>(usageOfRun(by), { jobId, ...asked }),
  );
  return foldUsage(rows, by);
}
