import type { ModelUsage, ServingStore } from '../../../domain/ports/serving.js';
import { boundsOf, foldUsage, type UsageRow } from '../../model-usage.js';
import type { PostgresDeps } from '../deps.js';
import { USAGE, USAGE_OF_RUN } from '../sql/usage.js';

export async function usageOf(
  deps: PostgresDeps,
  filter: Parameters<ServingStore['usage']>[0],
): Promise<readonly ModelUsage[]> {
  const { jobId } = filter;
  const { since, until } = boundsOf(filter);
  const rows = await deps.read((sql) =>
    jobId === undefined
      ? sql.all<UsageRow>(USAGE, { since, until })
      : sql.all<UsageRow>(USAGE_OF_RUN, { jobId, since, until }),
  );
  return foldUsage(rows);
}
