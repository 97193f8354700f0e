import { COUNT_DAYS, COUNT_RUN, COUNTED_TO } from './sql/usage.js';
import type { SqlRunner } from './sql-runner.js';

/**
 * Counts what a run has called since it ended before, in the transaction that ends it: what all
 * runs used is then told without their logs.
 */
export function countUsage(sql: SqlRunner, { run, jobId }: { readonly run: number; readonly jobId: string }): void {
  const after = sql.get<{ seq: number }>(COUNTED_TO, { jobId })?.seq ?? 0;
  if (sql.run(COUNT_RUN, { run, jobId, after }) > 0) sql.run(COUNT_DAYS, { jobId, after });
}
