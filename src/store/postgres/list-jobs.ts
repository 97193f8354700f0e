import type { Job } from '../../domain/job.js';
import type { JobFilter } from '../../domain/ports/stores.js';
import { decodeJob, type JobRow } from '../job-row.js';
import { partsOf } from '../topology-filter.js';
import { GET_ORD, LIST_CONDITIONS, LIST_JOBS, LIST_ORDER } from './sql/jobs.js';
import type { SqlRunner, SqlValue } from './sql-runner.js';

/**
 * Newest first. Only the conditions that the filter names are part of the statement, so that each
 * can use its index.
 */
export async function listJobs(sql: SqlRunner, filter: JobFilter): Promise<readonly Job[]> {
  const params: Record<string, SqlValue> = { limit: filter.limit };
  const conditions: string[] = [];
  const restrict = (name: keyof typeof LIST_CONDITIONS, value: SqlValue | undefined): void => {
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
  if (filter.status?.length === 1) restrict('onlyStatus', filter.status[0]);
  else restrict('status', filter.status);
  if (filter.beforeId !== undefined) {
    const before = await sql.get<{ ord: number }>(GET_ORD, { jobId: filter.beforeId });
    if (before === undefined) return [];
    restrict('beforeOrd', before.ord);
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return (await sql.all<JobRow>(`${LIST_JOBS} ${where} ${LIST_ORDER}`, params)).map(decodeJob);
}
