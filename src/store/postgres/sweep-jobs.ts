import type { Job } from '../../domain/job.js';
import type { SweepOptions } from '../../domain/ports/stores.js';
import { decodeJob, type JobRow } from '../job-row.js';
import { givenUpOf, type Recovery, recoveryOf } from '../recovery.js';
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
 * Takes over every lease that is over. Looked for by a read, so that a sweep that finds nothing
 * writes nothing; judged again once the row is locked, because the holder may have renewed, or
 * another sweep may have come first.
 */
export async function sweepJobs(deps: PostgresDeps, options: SweepOptions = {}): Promise<readonly Job[]> {
  const { recoverAll = false } = options;
  const overdue = await deps.read((sql) => sql.all<Overdue>(OVERDUE_JOBS));
  const recovered = await Promise.all(
    overdue.map((seen) =>
      deps.queue.run({
        writes: ['job.sweep'],
        jobs: [seen.id],
        work: (tx) => recover(tx, seen, { recoverAll, eventId: deps.ids.uuid() }),
      }),
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
  const recovery = recoveryOf(recoverAll ? { ...job, recover: 'auto' } : job, await stepInDoubt(tx, row));
  await apply(tx, row, { recovery, eventId });
  const after = await tx.get<JobRow>(GET_JOB, { jobId: row.id });
  return after === undefined ? null : decodeJob(after);
}

/** What becomes of a locked job that its own worker cannot go on with. */
export async function giveUp(
  tx: Transaction,
  row: JobRow,
  of: { readonly why: string; readonly eventId: string },
): Promise<void> {
  await apply(tx, row, {
    recovery: givenUpOf(row, { why: of.why, stepKey: await stepInDoubt(tx, row) }),
    eventId: of.eventId,
  });
}

async function stepInDoubt(tx: Transaction, row: JobRow): Promise<string | null> {
  return (await tx.get<{ key: string }>(FIND_STEP_IN_DOUBT, { jobId: row.id }))?.key ?? null;
}

async function apply(
  tx: Transaction,
  row: JobRow,
  { recovery, eventId }: { readonly recovery: Recovery; readonly eventId: string },
): Promise<void> {
  if (recovery.kind === 'requeue') await tx.run(REQUEUE_JOB, { jobId: row.id, crashes: recovery.crashes });
  else
    await endAbandoned(
      tx,
      { ...row, status: decodeJob(row).status, crashes: recovery.crashes },
      { end: recovery.end, eventId },
    );
}
