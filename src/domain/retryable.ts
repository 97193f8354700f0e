import type { Job } from './job.js';

/** Why a run that did not complete has no retry: it would come to the same end. */
export type NoRetry = 'decided' | 'limit' | 'diverged' | 'part' | 'doubt';

/** Ends that people brought about. */
const DECIDED = ['gate_rejected', 'gate_withdrawn', 'rework_exhausted'];

/**
 * Null for a run whose retry may end otherwise. `part`: another run asked for it, and is retried in
 * its place. `doubt`: what it did last may have taken effect, and says that it is not to be done
 * twice.
 */
export function noRetryOf({ reason, callerJobId }: Pick<Job, 'reason' | 'callerJobId'>): NoRetry | null {
  if (callerJobId !== null) return 'part';
  if (reason === 'journal_diverged') return 'diverged';
  if (reason === 'in_doubt') return 'doubt';
  if (DECIDED.includes(reason ?? '')) return 'decided';
  return reason?.startsWith('limit.') === true ? 'limit' : null;
}

/** True for a run that `kit retry` goes on with. A replay is answered by its cassette alone. */
export const isRetryable = (job: Pick<Job, 'status' | 'reason' | 'needs' | 'callerJobId'>): boolean =>
  job.status === 'failed' && noRetryOf(job) === null && job.needs.cassette === undefined;
