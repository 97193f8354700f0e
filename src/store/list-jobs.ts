import type { Job } from '../domain/job.js';
import type { JobFilter } from '../domain/ports/stores.js';
import { decodeJob, type JobRow } from './job-row.js';
import { all, get, type Program, type Statement } from './program.js';
import { GET_ORD, listJobs, type StatusWords } from './sql/jobs.js';
import { partsOf } from './topology-filter.js';

type Value = Statement['params'][string];

/** What the dialects write differently. */
export interface ListingWords {
  readonly LIST_CONDITIONS: Readonly<
    Record<'idPrefix' | 'correlationId' | 'topology' | 'version' | 'source' | 'beforeOrd', string>
  >;
  readonly OF_STATUS: StatusWords;
}

/**
 * Newest first. Only the conditions that the filter names are part of the statement, so that each
 * can use its index.
 */
export function* listingOf(filter: JobFilter, { LIST_CONDITIONS, OF_STATUS }: ListingWords): Program<readonly Job[]> {
  const params: Record<string, Value> = { limit: filter.limit };
  const conditions: string[] = [];
  const restrict = (name: keyof ListingWords['LIST_CONDITIONS'], value: Value | undefined): void => {
    if (value === undefined) return;
    conditions.push(LIST_CONDITIONS[name]);
    params[name] = value;
  };
  restrict('idPrefix', filter.idPrefix);
  restrict('correlationId', filter.correlationId);
  const { name, version } = partsOf(filter.topology);
  restrict('topology', name);
  restrict('version', version);
  restrict('source', filter.source);
  if (filter.beforeId !== undefined) {
    const before = yield* get<{ readonly ord: number }>(GET_ORD, { jobId: filter.beforeId });
    if (before === undefined) return [];
    restrict('beforeOrd', before.ord);
  }
  const statuses = filter.status === undefined ? null : [...new Set(filter.status)];
  if (statuses?.length === 0) return [];
  for (const [n, status] of (statuses ?? []).entries()) params[`status${n}`] = status;
  return (yield* all<JobRow>(listJobs(OF_STATUS, conditions, statuses?.length ?? 0), params)).map(decodeJob);
}
