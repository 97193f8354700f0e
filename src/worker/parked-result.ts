import { foldDiffs, foldUsage } from '../domain/fold-usage.js';
import type { Fence, Job } from '../domain/job.js';
import type { StepRow } from '../domain/journal.js';
import type { RunJobResult } from './run-job-deps.js';

/**
 * What the row says after a park was handed in. Still running under the same fence: something that
 * the run was to wait for had been settled, the store left the row as it is, and the run goes on.
 * Stopped: a stop was requested meanwhile, and ended it. Anything else: it is parked, or was parked
 * and is woken already.
 */
export function parkedResult(of: {
  readonly fence: Fence;
  readonly waitingOn: readonly string[];
  /** It was to wait for other runs alone. */
  readonly isWaiting: boolean;
  readonly row: Job | null;
  readonly rows: Iterable<StepRow>;
}): RunJobResult | { readonly kind: 'lapsed' } {
  const { fence, row } = of;
  if (row?.status === 'running' && row.workerId === fence.workerId && row.attempt === fence.attempt)
    return { kind: 'lapsed' };
  if (row?.status !== 'stopped') return { kind: of.isWaiting ? 'waiting' : 'parked', waitingOn: of.waitingOn };
  const rows = [...of.rows];
  const { reason, error, parkedAt } = row;
  return {
    kind: 'ended',
    end: {
      status: 'stopped',
      reason,
      error,
      output: null,
      usage: foldUsage(rows),
      diffs: foldDiffs(rows),
      endedAt: parkedAt ?? '',
    },
  };
}
