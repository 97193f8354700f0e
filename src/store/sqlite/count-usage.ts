import type { EventRecord } from '../event-row.js';
import { type Called, RunUsage } from '../run-usage.js';
import { ADD_TO_DAY, ADD_USED, CALLS_OF_RUN, COUNTED_TO } from './sql/usage.js';
import type { SqlRunner } from './sql-runner.js';

type Owner = { readonly run: number; readonly jobId: string };

/**
 * Counts what a run has called since it ended before, in the transaction that ends it: what all
 * runs used is then told without their logs. `followed`: all that it ever called; null: whoever
 * ends it has not seen all of its log, and reads what was not counted yet.
 */
export function countUsage(sql: SqlRunner, owner: Owner, followed: RunUsage | null): void {
  for (const row of (followed ?? usageInLog(sql, owner)).rows())
    if (sql.run(ADD_USED, { jobId: owner.jobId, ...row }) > 0) sql.run(ADD_TO_DAY, row);
}

type CallRow = Pick<EventRecord, 'seq' | 'timestamp' | 'topology_id' | 'payload'>;

function usageInLog(sql: SqlRunner, { run, jobId }: Owner): RunUsage {
  const usage = new RunUsage();
  const after = sql.get<{ seq: number }>(COUNTED_TO, { jobId })?.seq ?? 0;
  // `encodeEvent` wrote it from a payload of this type.
  for (const { seq, timestamp, topology_id, payload } of sql.iterate<CallRow>(CALLS_OF_RUN, { run, after }))
    usage.add({ seq, timestamp, topologyId: topology_id, payload: JSON.parse(payload) as Called['payload'] });
  return usage;
}
