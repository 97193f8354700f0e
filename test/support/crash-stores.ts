import { isKitError, KitError } from '../../src/domain/errors.js';
import type { Fence } from '../../src/domain/job.js';
import type { RunWrite } from '../../src/domain/journal.js';
import type { JobStore, Stores } from '../../src/domain/ports/stores.js';
import { type CommitOne, eachBatch } from './each-batch.js';

/** What a commit told its caller: `acked` when it resolved, `refused` when it rejected. */
export interface CommitWatch {
  readonly onCommit?: (writes: readonly RunWrite[]) => void;
  readonly onAcked: (writes: readonly RunWrite[], jobId: string) => void;
  readonly onRefused: (error: unknown) => void;
}

const withRuns = (stores: Stores, commit: CommitOne): Stores => ({
  ...stores,
  runs: {
    load: (jobId) => stores.runs.load(jobId),
    produced: (jobId) => stores.runs.produced(jobId),
    commit: eachBatch(commit),
    prune: (request) => stores.runs.prune(request),
  },
});

const withHeartbeat = (stores: Stores, heartbeat: JobStore['heartbeat']): Stores => {
  const { jobs } = stores;
  return {
    ...stores,
    jobs: {
      heartbeat,
      insert: (...args) => jobs.insert(...args),
      insertBegun: (...args) => jobs.insertBegun(...args),
      insertOnce: (...args) => jobs.insertOnce(...args),
      findOnce: (once) => jobs.findOnce(once),
      get: (jobId) => jobs.get(jobId),
      isStopRequested: (jobId) => jobs.isStopRequested(jobId),
      list: (filter) => jobs.list(filter),
      claim: (request) => jobs.claim(request),
      waitForWork: (...args) => jobs.waitForWork(...args),
      release: (fence) => jobs.release(fence),
      resume: (...args) => jobs.resume(...args),
      requestStop: (...args) => jobs.requestStop(...args),
      sweep: (...args) => jobs.sweep(...args),
      diffs: (jobId) => jobs.diffs(jobId),
      keepFigures: (...args) => jobs.keepFigures(...args),
    },
  };
};

/**
 * Listens to what the engine is told: nothing that was acknowledged may be missing after a kill.
 */
export function watchCommits(stores: Stores, watch: CommitWatch): Stores {
  const heard = withHeartbeat(stores, async (...args) => {
    const answer = await stores.jobs.heartbeat(...args);
    if (answer.lost) watch.onRefused(new KitError('KIT_LEASE_LOST', 'the heartbeat was refused'));
    return answer;
  });
  return withRuns(heard, async (fence, writes) => {
    watch.onCommit?.(writes);
    try {
      await stores.runs.commit(fence, writes);
      watch.onAcked(writes, fence.jobId);
    } catch (error) {
      watch.onRefused(error);
      throw error;
    }
  });
}

/** Stores that are wrong on purpose: the crash test must notice each of them. */
export type Mutant = 'acknowledges_early' | 'drops_results' | 'no_fence';

const LATE_MS = 40;

export function mutate(stores: Stores, mutant: Mutant): Stores {
  switch (mutant) {
    case 'acknowledges_early':
      return withRuns(stores, acknowledgeEarly(stores));
    case 'drops_results':
      return withRuns(stores, async (fence, writes) => {
        const kept = writes.filter((write) => write.op !== 'step.ended' || !write.key.includes('/c0:'));
        if (kept.length > 0) await stores.runs.commit(fence, kept);
      });
    case 'no_fence':
      return withHeartbeat(withRuns(stores, commitUnfenced(stores)), async (fence, ...rest) =>
        stores.jobs.heartbeat(await holderOf(stores, fence), ...rest),
      );
  }
}

/** Says that it is done, and commits a moment later. */
function acknowledgeEarly(stores: Stores): CommitOne {
  let last: Promise<unknown> = Promise.resolve();
  return async (fence, writes) => {
    last = last
      .then(() => new Promise((resolve) => setTimeout(resolve, LATE_MS)))
      .then(() => stores.runs.commit(fence, writes));
    last.catch(() => {});
    if (writes.some((write) => write.op === 'run.ended')) await last;
  };
}

/** A commit that stood between the look and the store while the run was taken over looks again. */
function commitUnfenced(stores: Stores): CommitOne {
  const commit: CommitOne = async (fence, writes) => {
    const holder = await holderOf(stores, fence);
    try {
      await stores.runs.commit(holder, writes);
    } catch (error) {
      const now = await holderOf(stores, fence);
      if (!isKitError(error) || error.code !== 'KIT_LEASE_LOST' || now.attempt === holder.attempt) throw error;
      await commit(fence, writes);
    }
  };
  return commit;
}

/** Whoever holds the run now: with this the check of the fence always passes. */
async function holderOf(stores: Stores, fence: Fence): Promise<Fence> {
  const job = await stores.jobs.get(fence.jobId);
  return { jobId: fence.jobId, workerId: job?.workerId ?? fence.workerId, attempt: job?.attempt ?? fence.attempt };
}
