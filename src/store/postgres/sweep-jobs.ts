import type { Job } from '../../domain/job.js';
import type { SweepOptions } from '../../domain/ports/stores.js';
import { decodeJob, type JobRow } from '../job-row.js';
import { recoveryOf } from '../recovery.js';
import type { PostgresDeps } from './deps.js';
import { endAbandoned } from './end-abandoned.js';
import { GET_JOB, HELD_JOB, OVERDUE_JOBS, REQUEUE_JOB } from './sql/jobs.js';
import { FIND_STEP_IN_DOUBT } from './sql/steps.js';
import type { Transaction } from './transaction.js';

interface Overdue {
  readonly id: string;
  readonly worker_id: string;
  readonly attempt: number;
}

/**
 * Takes over every lease that is over. Looked for by a read, so that a sweep that finds nothing writes nothing; judged again once
 * the row is locked, because the holder may have renewed, or another sweep may have come first.
 */
export async function sweepJobs(deps: PostgresDeps, options: SweepOptions = {}): Promise<readonly Job[]> {
  const { recoverAll = false } = options;
  const overdue = await deps.read((sql) => sql.all<Overdue>(OVERDUE_JOBS));
  const recovered = await Promise.all(
    overdue.map((seen) =>
      deps.queue.run({ writes: ['job.sweep'], jobs: [seen.id], work: (tx) => recover(tx, seen, { recoverAll, eventId: deps.ids.uuid() }) }),
    ),
  );
  return recovered.filter((job) => job !== null);
}

async function recover(
  tx: Transaction,
  seen: Overdue,
  { recoverAll, eventId }: { readonly recoverAll: boolean; readonly eventId: string },
): Promise<Job | null> {
  const row = await tx.get<JobRow>(HELD_JOB, { jobId: seen.id, workerId: seen.worker_id, attempt: seen.attempt });
  if (row === undefined || row.lease_until === null || row.lease_until >= tx.now) return null;
  const job = decodeJob(row);
  const step = await tx.get<{ key: string }>(FIND_STEP_IN_DOUBT, { jobId: row.id });
  const recovery = recoveryOf(recoverAll ? { ...job, recover: 'auto' } : job, step?.key ?? null);
  if (recovery.kind === 'requeue') await tx.run(REQUEUE_JOB, { jobId: row.id, crashes: recovery.crashes });
  else await endAbandoned(tx, { ...row, status: job.status, crashes: recovery.crashes }, { end: recovery.end, eventId });
  const after = await tx.get<JobRow>(GET_JOB, { jobId: row.id });
  return after === undefined ? null : decodeJob(after);
}
