import type { ReviewItem } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';
import { isRetryable } from '../../domain/retryable.js';
import type { GateResolution } from '../gate-details.js';

/** What of the run an item depends on. */
type ItsRun = Pick<Job, 'id' | 'status' | 'error' | 'reason' | 'needs' | 'callerJobId'>;

/**
 * Why nobody can decide an item any more that nobody has decided; null = somebody has, or can. A
 * round in which somebody asks for changes takes back what it still asked of the others, and so
 * does a run that ends. `said`: the decisions at its gate, of all rounds.
 */
export function withdrawnText(
  item: Pick<ReviewItem, 'status' | 'withdrawn' | 'round' | 'agentId'>,
  job: ItsRun,
  said: readonly Pick<GateResolution, 'round' | 'status' | 'resolvedBy'>[],
): string | null {
  if (item.status !== 'pending' || !item.withdrawn) return null;
  const { id, status, error } = job;
  const changes = said.findLast((each) => each.round === item.round && each.status === 'changes-requested');
  if (changes !== undefined) {
    const then = status === 'failed' ? `run ${id} failed` : `${item.agentId} works on them, and the gate asks anew`;
    return `withdrawn: ${changes.resolvedBy} asked for changes; ${then}`;
  }
  if (status !== 'failed') return `withdrawn before anybody decided it: run ${id} is ${status}`;
  const again = isRetryable(job) ? '; a retry asks it anew' : '';
  return `withdrawn before anybody decided it: run ${id} failed${error === null ? '' : ` (${error})`}${again}`;
}
