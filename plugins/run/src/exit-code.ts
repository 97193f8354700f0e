import type { Followed, Job } from '@kit-run/kit/command';

/**
 * 0 completed, 1 failed, 3 parked, 4 stopped, 130 interrupted twice
 * (docs/design/decisions.md#exit-codes).
 */
export function exitOf(
  { job, wasAborted }: Pick<Followed, 'job' | 'wasAborted'>,
  zeroWhenParked: boolean,
): 0 | 1 | 3 | 4 | 130 {
  if (wasAborted) return 130;
  return exitOfStatus(job.status, zeroWhenParked);
}

/** Of a run as it stands. */
export function exitOfStatus(status: Job['status'], zeroWhenParked: boolean): 0 | 1 | 3 | 4 {
  switch (status) {
    case 'completed':
      return 0;
    case 'deferred':
      return zeroWhenParked ? 0 : 3;
    case 'stopped':
      return 4;
    case 'failed':
    case 'pending':
    case 'queued':
    case 'running':
      return 1;
  }
}
