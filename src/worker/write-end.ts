import type { Fence, Job } from '../domain/job.js';
import type { DiscardedResult, RunEnd } from '../domain/journal.js';
import type { Stores } from '../domain/ports/stores.js';
import type { Log } from '../domain/ports/system.js';
import { messageOf } from './failure-of.js';
import { runEndedWrite } from './run-ended.js';

/** Writes a run's end under the fence. `lost`: it could not be written, and whoever takes the run over will end it. */
export async function writeEnd(
  deps: { readonly stores: Stores; readonly log: Log },
  of: { readonly job: Job; readonly fence: Fence; readonly end: RunEnd; readonly discard?: readonly DiscardedResult[] },
): Promise<{ readonly kind: 'ended'; readonly end: RunEnd } | { readonly kind: 'lost' }> {
  try {
    await deps.stores.runs.commit(of.fence, [runEndedWrite(of.job, of.end, of.discard)]);
  } catch (error) {
    deps.log.warn('the end of the run could not be written', { job: of.job.id, error: messageOf(error) });
    return { kind: 'lost' };
  }
  return { kind: 'ended', end: of.end };
}
