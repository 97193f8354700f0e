import type { Job } from '../../domain/job.js';
import type { NewJob } from '../../domain/ports/stores.js';
import { assertOffered } from '../assert-offered.js';
import { decodeJob, type Inserted, type JobRow, leaseOf, newRowParams } from '../job-row.js';
import { jobIdUsed } from '../refusals.js';
import { refuseEnd } from '../run-ended.js';
import { GET_JOB } from '../sql/jobs.js';
import { INSERT_AND_GET_JOB, INSERT_NEW_JOB } from './sql/jobs.js';
import type { SqlParams } from './sql-runner.js';
import type { Transaction } from './transaction.js';

/** The row as it is made is there once the transaction has been committed. */
export async function insertJob(tx: Transaction, job: NewJob, { status, events, claim }: Inserted): Promise<() => Job> {
  refuseEnd(events);
  if (claim !== undefined) assertOffered(job, claim);
  const row = newRowParams(
    job,
    status,
    claim === undefined ? null : leaseOf(claim, (plusMs = 0) => tx.nowPlus(plusMs)),
  );
  const inserted = await insertRow(tx, job.id, row);
  tx.beginChain(job.id);
  const owner = { run: 0, jobId: job.id, labels: JSON.stringify(job.labels), correlationId: job.correlationId };
  for (const event of events) await tx.writeEvent(owner, event);
  return () => decodeJob(inserted());
}

/** Singly it is asked at once whether the id is used; else that undoes the group. */
async function insertRow(tx: Transaction, jobId: string, params: SqlParams): Promise<() => JobRow> {
  if (tx.parts.way !== 'singly') {
    const rows = tx.last<JobRow>({
      op: 'change',
      sql: INSERT_NEW_JOB,
      params,
      again: { sql: GET_JOB, params: { jobId } },
    });
    return () => rowOf(rows()[0], jobId);
  }
  const row = rowOf((await tx.change<JobRow>(INSERT_AND_GET_JOB, { ...params, now: tx.now }))[0], jobId);
  return () => row;
}

function rowOf(row: JobRow | undefined, jobId: string): JobRow {
  if (row === undefined) throw jobIdUsed(jobId);
  return row;
}
