import type { UsageFilter, UsageShare } from '../../../domain/ports/usage.js';
import { boundsOf, daysOf, foldUsage, type UsageRow } from '../../model-usage.js';
import type { PostgresDeps } from '../deps.js';
import { usage, usageOfRun } from '../sql/usage.js';

export async function usageOf(deps: PostgresDeps, filter: UsageFilter): Promise<readonly UsageShare[]> {
  const { jobId, by = 'model' } = filter;
  const asked = boundsOf(filter);
  const rows = await deps.read((sql) =>
    jobId === undefined
      ? sql.all<UsageRow>(usage(by), { ...asked, ...daysOf(asked) })
      : sql.all<UsageRow>(usageOfRun(by), { jobId, ...asked }),
  );
  return foldUsage(rows, by);
}
