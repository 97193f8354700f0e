import { ownerOf } from './event-row.js';
import { callerOf, type Kin, wokenBy } from './family.js';
import type { JobRow } from './job-row.js';
import { append, get, type Program, run, setJobs } from './program.js';
import { GET_OWNER, WAKE_JOB, WAKE_WAITING } from './sql/jobs.js';

type Owner = Pick<JobRow, 'ord' | 'topology' | 'labels' | 'correlation_id'>;

/** What a wake takes besides the run that came to rest. */
interface Wake {
  readonly hasEnded: boolean;
  readonly eventId: string;
  readonly now: string;
}

/** `by`: what has come to an end. Null: a run that is deferred stays so. */
interface RunWake extends Omit<Wake, 'hasEnded'> {
  readonly by: string | null;
}

/**
 * Wakes the run that waits for this one, in the transaction in which this one came to rest
 * (docs/design/journal.md#waking). One that is about to wait locks the row of this one first, so it
 * is either seen here as waiting, or sees this one at rest.
 */
export function* wakeCaller(child: Kin & { readonly id: string }, { hasEnded, eventId, now }: Wake): Program<void> {
  const jobId = callerOf(child);
  if (jobId !== null) yield* wakeRun(jobId, { by: hasEnded ? `run ${child.id}` : null, eventId, now });
}

/** Makes a run that waits claimable; one that executes, or has ended, is left alone. */
export function* wakeRun(jobId: string, { by, eventId, now }: RunWake): Program<void> {
  if ((yield* run(WAKE_WAITING, { jobId, now })) > 0) return;
  if (by === null || (yield* setJobs(WAKE_JOB, { jobId })) === 0) return;
  const row = yield* get<Owner>(GET_OWNER, { jobId });
  if (row === undefined) return;
  yield* append(ownerOf({ ...row, id: jobId }), [wokenBy(by, { eventId, timestamp: now, topologyId: row.topology })]);
}
