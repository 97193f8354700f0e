import { messageOf } from '../domain/errors.js';
import type { Job } from '../domain/job.js';
import type { DiscardedResult, RunEnd, RunWrite } from '../domain/journal.js';
import type { Log } from '../domain/ports/system.js';
import { lostBy } from './failure-of.js';
import { runEndedWrite } from './run-ended.js';
import type { RunJobResult } from './run-job-deps.js';

/**
 * Writes a run's end under its fence, by `commit`. `lost`: it could not be written, and whoever
 * takes the run over will end it.
 */
export async function writeEnd(
  deps: { readonly commit: (write: Extract<RunWrite, { op: 'run.ended' }>) => Promise<unknown>; readonly log: Log },
  of: { readonly job: Job; readonly end: RunEnd; readonly discard?: readonly DiscardedResult[] },
): Promise<Extract<RunJobResult, { kind: 'ended' | 'lost' }>> {
  try {
    await deps.commit(runEndedWrite(of.job, of.end, of.discard));
  } catch (error) {
    deps.log.warn('the end of the run could not be written', { job: of.job.id, error: messageOf(error) });
    return lostBy(error);
  }
  return { kind: 'ended', end: of.end };
}
