import { messageOf } from '../../domain/errors.js';
import type { Job, JobClass } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Slots } from '../../worker/slots.js';
import type { WorkChange } from '../../worker/work-change.js';
import { WorkLoop } from '../../worker/work-loop.js';
import { recordEnd } from '../canary/record-end.js';
import { fireDue } from '../review/fire-due.js';
import type { RunSession } from './run-session.js';
import { sessionWatcher } from './session-watcher.js';
import type { SessionWork, SessionWorkDeps } from './session-work.js';

/** What a long-lived process works on. */
export interface LoopOf {
  readonly work: SessionWork;
  readonly stores: Stores;
  /**
   * Without a slot nothing is claimed: what is left is to take over what crashed and to fire
   * deadlines.
   */
  readonly slots: Slots;
  /** The session as it is now; a reload replaces it. */
  readonly session: () => RunSession;
  /**
   * One name for all claims: it is by this that a run's row and the list of servers and workers
   * mean the same process.
   */
  readonly workerId: string;
  readonly jobClass: JobClass | 'any';
  readonly onChange?: (change: WorkChange) => void;
}

/** The one loop of servers and workers over the runs of a session. */
export function createSessionLoop(deps: SessionWorkDeps, of: LoopOf): WorkLoop {
  const { work, stores, slots, session, workerId, jobClass, onChange } = of;
  return new WorkLoop({
    ...deps,
    stores,
    slots,
    leaseMs: () => session().workspace.server.jobs.leaseMs,
    claim: () => work.queueClaim(session(), { workerId, jobClass }),
    jobDeps: () => {
      const now = session();
      return { ...work.jobDeps(now, stores), isDeclined: (job, error) => work.isDeclined(now, job, error) };
    },
    afterRun: async (job) => {
      await countEnd(deps, of, job);
      await work.clearUp(session(), stores)();
    },
    fireDue: () => fireDue({ stores, ids: deps.ids }),
    recoverAll: () => session().workspace.server.jobs.recoverAll,
    // A process without a slot offers nothing, and can have no credential of an agent.
    ...(slots.max === 0 ? {} : { watcher: sessionWatcher(deps, of) }),
    ...(onChange === undefined ? {} : { onChange }),
  });
}

/**
 * A run that a canary route chose the version of is counted when it has ended. A count that fails
 * is a log line.
 */
async function countEnd(deps: SessionWorkDeps, of: LoopOf, job: Job): Promise<void> {
  const { workspace } = of.session();
  if (workspace.server.canary.length === 0) return;
  try {
    const [row, { route }] = await Promise.all([of.stores.jobs.get(job.id), of.work.snapshotOf(of.stores, job)]);
    if (row !== null && route !== undefined)
      await recordEnd({ ...deps, stores: of.stores }, workspace, { job: row, route });
  } catch (error) {
    deps.log.warn('the end of a run could not be counted for its canary route', {
      job: job.id,
      error: messageOf(error),
    });
  }
}
