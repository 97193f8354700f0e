import { isParked, isTerminal, type Job } from '../../domain/job.js';
import { runJob } from '../../worker/run-job.js';
import type { RunJobDeps, RunJobResult } from '../../worker/run-job-deps.js';
import type { RunJobOptions } from '../../worker/run-job-options.js';
import type { ResumeDeps } from './resume-run.js';

/** Another process may have claimed one of the runs: it is looked at again after this. */
const LOOK_MS = 500;

export type FamilyDeps = RunJobDeps & Pick<ResumeDeps, 'claimFor'>;

/**
 * Goes on with a run after its claim let go of it, and executes the runs that it waits for: a
 * process that drains one job has nobody else who would. Each of them is claimed like any other; a
 * server beside it may take one, and its end is then waited for.
 */
export async function drainFamily(
  deps: FamilyDeps,
  job: Job,
  { options, first }: { readonly options: RunJobOptions; readonly first: RunJobResult },
): Promise<RunJobResult> {
  let result = first;
  while (result.kind === 'waiting') {
    await Promise.all(result.waitingOn.map((id) => drainChild(deps, id, options)));
    const askedAtMs = deps.clock.now();
    const [again] = await deps.stores.jobs.claim({ ...(await deps.claimFor(job.needs)), jobId: job.id });
    if (again !== undefined) {
      result = await runJob(deps, again, { ...options, askedAtMs });
      continue;
    }
    const row = await deps.stores.jobs.get(job.id);
    if (row === null || isTerminal(row.status) || isParked(row.status)) return { kind: 'released' };
    await deps.clock.sleep(LOOK_MS, options.abort).catch(() => undefined);
    if (options.abort?.aborted === true) return { kind: 'released' };
  }
  return result;
}

async function drainChild(deps: FamilyDeps, id: string, options: RunJobOptions): Promise<void> {
  const row = await deps.stores.jobs.get(id);
  if (row === null) return;
  const askedAtMs = deps.clock.now();
  const [child] = await deps.stores.jobs.claim({ ...(await deps.claimFor(row.needs)), jobId: id });
  if (child === undefined) return;
  const claimed = { ...options, askedAtMs };
  await drainFamily(deps, child, { options: claimed, first: await runJob(deps, child, claimed) });
}
