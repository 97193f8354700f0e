import type { Job } from './job.js';

/** Why a failed run has no retry: it would come to the same end. */
export type NoRetry = 'rejected' | 'limit';

/** Null for a failed run whose retry may end otherwise. */
export function noRetryOf({ reason }: Pick<Job, 'reason'>): NoRetry | null {
  if (reason === 'gate_rejected') return 'rejected';
  return reason?.startsWith('limit.') === true ? 'limit' : null;
}

/** True for a run that `kit retry` goes on with. A replay is answered by its cassette alone. */
export const isRetryable = (job: Pick<Job, 'status' | 'reason' | 'needs'>): boolean =>
  job.status === 'failed' && noRetryOf(job) === null && job.needs.cassette === undefined;
