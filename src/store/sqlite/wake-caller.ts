import { callerOf, type Kin, wokenBy } from '../family.js';
import { appendEvents } from './append-events.js';
import { GET_OWNER, WAKE_JOB, WAKE_WAITING } from './sql/jobs.js';
import type { SqlRunner } from './sql-runner.js';

interface Owner {
  readonly ord: number;
  readonly id: string;
  readonly topology: string;
  readonly labels: string;
  readonly correlation_id: string | null;
}

/** What a wake takes besides the run that came to rest. */
export interface Wake {
  readonly hasEnded: boolean;
  readonly eventId: string;
  readonly now: string;
}

/** `by`: what has come to an end. Null: a run that is deferred stays so. */
export interface RunWake extends Omit<Wake, 'hasEnded'> {
  readonly by: string | null;
}

/**
 * Wakes the run that waits for this one, in the transaction in which this one came to rest
 * (docs/design/journal.md#waking).
 */
export function wakeCaller(
  sql: SqlRunner,
  child: Kin & { readonly id: string },
  { hasEnded, eventId, now }: Wake,
): void {
  const jobId = callerOf(child);
  if (jobId !== null) wakeRun(sql, jobId, { by: hasEnded ? `run ${child.id}` : null, eventId, now });
}

/** Makes a run that waits claimable; one that executes, or has ended, is left alone. */
export function wakeRun(sql: SqlRunner, jobId: string, { by, eventId, now }: RunWake): void {
  if (sql.run(WAKE_WAITING, { jobId, now }) > 0) return;
  if (by === null || sql.run(WAKE_JOB, { jobId }) === 0) return;
  const row = sql.get<Owner>(GET_OWNER, { jobId });
  if (row === undefined) return;
  const owner = { run: row.ord, jobId, labels: row.labels, correlationId: row.correlation_id };
  appendEvents(sql, owner, [wokenBy(by, { eventId, timestamp: now, topologyId: row.topology })]);
}
