import type { Job } from '../../domain/job.js';
import type { ResumeDeps } from './resume-run.js';
import type { RunHandle, RunsApp } from './runs-app.js';

/** Of which run, and where. */
interface BranchAsk {
  readonly workspace: string;
  readonly job: string;
  readonly trust: readonly string[];
}

/** What runs that go on from another one are made with, and followed by. */
export interface BranchParts {
  readonly open: (ask: BranchAsk) => Promise<{
    readonly deps: ResumeDeps;
    readonly follow: (made: Job) => RunHandle;
  }>;
}

/** Forks and retries of this process. */
export const branchUses = ({ open }: BranchParts): Pick<RunsApp, 'fork' | 'retry'> => ({
  fork: async (request) => {
    const { forkRun } = await import('./fork-run.js');
    const { deps, follow } = await open(request);
    return follow(await forkRun(deps, request));
  },
  retry: async ({ by, ...request }) => {
    const { retryRun } = await import('./retry-run.js');
    const { deps, follow } = await open(request);
    const { job, repeated, gates } = await retryRun(
      deps,
      { ...request, by: { source: 'cli', submittedBy: { identity: by, assurance: 'asserted' } } },
      'claimed',
    );
    return repeated ? { kind: 'there', job } : { kind: 'begun', handle: follow(job), gates };
  },
});
