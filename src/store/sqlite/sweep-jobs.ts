import type { Job } from '../../domain/job.js';
import type { SweepOptions, WorkerHost } from '../../domain/ports/stores.js';
import { decodeHost, decodeJob, type JobRow } from '../job-row.js';
import { givenUpOf, isLeaseOver, type Observer, type Recovery, recoveryOf } from '../recovery.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { endAbandoned } from './end-abandoned.js';
import { GET_JOB, HELD_JOB, HELD_JOBS, REQUEUE_JOB } from './sql/jobs.js';
import { FIND_STEP_IN_DOUBT } from './sql/steps.js';
import type { SqlRunner } from './sql-runner.js';

/**
 * Takes over every lease that is over, a write of its own for each job. Looked for on a reading
 * connection, so that a sweep that finds nothing writes nothing; judged again under the lock,
 * because the holder may have renewed in between.
 */
export async function sweepJobs(
  deps: SqliteDeps,
  host: WorkerHost,
  options: SweepOptions = {},
): Promise<readonly Job[]> {
  const observer: Observer = { host, now: isoAt(deps.clock.now()), processStartOf: deps.processStartOf };
  const { recoverAll = false } = options;
  const held = await deps.read((sql) => sql.all<JobRow>(HELD_JOBS, {}));
  const over = held.filter((row) => isOver(row, observer));
  const recovered = await Promise.all(
    over.map((row) =>
      deps.queue.run(['job.sweep'], (sql) => recover(sql, row, { observer, recoverAll, eventId: deps.ids.uuid() })),
    ),
  );
  return recovered.filter((job) => job !== null);
}

function isOver(row: JobRow, observer: Observer): boolean {
  return isLeaseOver({ holder: decodeHost(row.holder), leaseUntil: row.lease_until ?? '' }, observer);
}

interface Takeover {
  readonly observer: Observer;
  readonly recoverAll: boolean;
  readonly eventId: string;
}

function recover(sql: SqlRunner, seen: JobRow, { observer, recoverAll, eventId }: Takeover): Job | null {
  const row = sql.get<JobRow>(HELD_JOB, { jobId: seen.id, workerId: seen.worker_id, attempt: seen.attempt });
  if (row === undefined || !isOver(row, observer)) return null;
  const job = decodeJob(row);
  const recovery = recoveryOf(recoverAll ? { ...job, recover: 'auto' } : job, stepInDoubt(sql, row));
  apply(sql, row, { recovery, eventId, now: observer.now });
  const after = sql.get<JobRow>(GET_JOB, { jobId: row.id });
  return after === undefined ? null : decodeJob(after);
}

/** What becomes of a job that its own worker cannot go on with. */
export function giveUp(
  sql: SqlRunner,
  row: JobRow,
  of: { readonly why: string; readonly eventId: string; readonly now: string },
): void {
  apply(sql, row, { ...of, recovery: givenUpOf(row, { why: of.why, stepKey: stepInDoubt(sql, row) }) });
}

const stepInDoubt = (sql: SqlRunner, row: JobRow): string | null =>
  sql.get<{ key: string }>(FIND_STEP_IN_DOUBT, { run: row.ord })?.key ?? null;

function apply(
  sql: SqlRunner,
  row: JobRow,
  of: { readonly recovery: Recovery; readonly eventId: string; readonly now: string },
): void {
  const { recovery, eventId, now } = of;
  if (recovery.kind === 'requeue') sql.run(REQUEUE_JOB, { jobId: row.id, crashes: recovery.crashes });
  else
    endAbandoned(
      sql,
      { ...row, status: decodeJob(row).status, crashes: recovery.crashes },
      { end: recovery.end, eventId, now },
    );
}
