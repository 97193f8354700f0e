/**
 * There is no `interrupted`: a run that crashed goes on or is `stopped`
 * (docs/design/decisions.md#statuses).
 */
export const JOB_STATUSES = ['pending', 'queued', 'running', 'deferred', 'completed', 'failed', 'stopped'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/**
 * Every legal change of status; code asks this table and nothing else decides. `running ->
 * queued|pending` is a released lease (drain, takeover); `deferred|stopped -> pending|queued` is a
 * resume.
 */
export const JOB_TRANSITIONS: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  pending: ['running', 'stopped', 'failed'],
  queued: ['running', 'stopped', 'failed'],
  running: ['running', 'pending', 'queued', 'deferred', 'completed', 'failed', 'stopped'],
  deferred: ['pending', 'queued', 'running', 'stopped', 'failed'],
  stopped: ['pending', 'queued', 'running'],
  completed: [],
  failed: [],
};

/** Of a run that waits for whoever claims it: for a slot, or in the queue of the workers. */
export type WaitingStatus = 'pending' | 'queued';

export const isWaiting = (status: string): status is WaitingStatus => status === 'pending' || status === 'queued';

/** True when `JOB_TRANSITIONS` allows the change. */
export function canChange(from: JobStatus, to: JobStatus): boolean {
  return JOB_TRANSITIONS[from].includes(to);
}

const IS_LIVE: Readonly<Record<JobStatus, boolean>> = {
  pending: true,
  queued: true,
  running: true,
  deferred: true,
  completed: false,
  failed: false,
  stopped: false,
};

/** Statuses of runs that work or wait. */
export const LIVE_STATUSES: readonly JobStatus[] = JOB_STATUSES.filter((status) => IS_LIVE[status]);

/** Statuses of the other runs: nothing wakes them, and a resume goes on with a stopped one. */
export const OVER_STATUSES: readonly JobStatus[] = JOB_STATUSES.filter((status) => !IS_LIVE[status]);

/** Statuses from which no work goes on by itself. */
export const isTerminal = (status: JobStatus): boolean => status === 'completed' || status === 'failed';

/**
 * Statuses that a resume can leave (docs/design/decisions.md#statuses); nobody holds the run
 * meanwhile.
 */
export const isParked = (status: JobStatus): boolean => status === 'deferred' || status === 'stopped';
