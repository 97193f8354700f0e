import type { Job } from '../../domain/job.js';
import { isRetryable } from '../../domain/retryable.js';
import { againOf, isOwnWork, logsOf } from './situation.js';

/**
 * How a failed run goes on. What it needs around it may be fixed (`isOutside`): then it is
 * retried. Where its files or its input must change, the work is submitted again.
 */
export function goOnOf(job: Job, isOutside: boolean): readonly string[] {
  if (job.needs.cassette !== undefined) return logsOf(job);
  return isOutside && isRetryable(job) && isOwnWork(job) ? ['kit', 'retry', job.id] : againOf(job);
}
