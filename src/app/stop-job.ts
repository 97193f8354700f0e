import { isTerminal, type Job, nameBeside } from '../domain/job.js';
import { openChildren } from '../worker/stop-children.js';
import { type EntryDeps, entryEvent } from './entry-events.js';
import { findJob } from './find-job.js';
import { jobSoFar } from './jobs/so-far.js';

/**
 * What came of a stop request. `alreadyRequested`: somebody asked before, and that request stands.
 */
export interface StopReport {
  readonly job: Job;
  readonly alreadyRequested: boolean;
  /**
   * `requested`: it stops at the next agent boundary. `stopped`: nobody ran it. `finished`: nothing
   * to stop.
   */
  readonly outcome: 'requested' | 'stopped' | 'finished';
}

/**
 * Asks for a cooperative stop: durable at once, seen at the next agent boundary. Asking twice
 * reports the first request; a finished job is left alone, which is not an error
 * (docs/design/execution.md#stop-boundaries). Runs that it asked for stop with it.
 *
 * Throws KIT_JOB_UNKNOWN, KIT_JOB_ID_AMBIGUOUS.
 */
export async function stopJob(
  deps: EntryDeps,
  request: { readonly job: string; readonly by: string; readonly clientName?: string },
): Promise<StopReport> {
  const found = await findJob(deps.stores, request.job);
  const at = new Date(deps.clock.now()).toISOString();
  const event = entryEvent(deps, {
    type: 'run.stopped',
    topology: found.topology,
    payload: { requested_by: request.by, ...nameBeside(request), at },
  });
  const { job: row, alreadyRequested } = await deps.stores.jobs.requestStop(found.id, request.by, event);
  if (row.status === 'stopped') await stopFamily(deps, row);
  const job = await jobSoFar(deps.stores, row);
  if (isTerminal(job.status)) return { job, alreadyRequested, outcome: 'finished' };
  return { job, alreadyRequested, outcome: job.status === 'stopped' ? 'stopped' : 'requested' };
}

/**
 * A run that nobody executed has ended here: so does what it asked for. One under a worker stops
 * its children when it leaves its last step.
 */
async function stopFamily(deps: EntryDeps, job: Job): Promise<void> {
  for (const child of openChildren(await deps.stores.runs.load(job.id))) {
    if ((await deps.stores.jobs.get(child))?.callerJobId === job.id)
      await stopJob(deps, { job: child, by: `run ${job.id}` });
  }
}
