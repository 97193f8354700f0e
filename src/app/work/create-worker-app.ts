import { KitError } from '../../domain/errors.js';
import { Slots } from '../../worker/slots.js';
import type { WorkLoop } from '../../worker/work-loop.js';
import { lookRound } from '../runs/look-round.js';
import type { RunSession } from '../runs/run-session.js';
import { createSessionLoop } from '../runs/session-loop.js';
import { createSessionWork, type SessionWorkDeps } from '../runs/session-work.js';
import { assertPolicies } from '../submit/assert-policies.js';
import type { WorkerApp } from './worker-app.js';
import type { ProcessHooks, WorkingProcess } from './working-process.js';

/** Real parts behind a working process. */
export interface WorkerDeps<S extends RunSession = RunSession> extends SessionWorkDeps {
  /** Throws KIT_WORKSPACE_NOT_FOUND, KIT_WORKSPACE_INVALID. */
  readonly openSession: (workspace: string) => Promise<S>;
  /** Throws KIT_WORKER_REFUSED, before the store is opened. */
  readonly assertShared: (session: S) => string | null;
  /** Default: nothing happens around the work. */
  readonly hooks?: ProcessHooks;
}

interface Working {
  readonly loop: WorkLoop;
  readonly slots: Slots;
  readonly process: WorkingProcess;
}

/** The working process over parts that `boot` hands in. */
export function createWorkerApp<S extends RunSession>(deps: WorkerDeps<S>): WorkerApp {
  const work = createSessionWork(deps);
  let working: Working | null = null;
  const started = (): Working => {
    if (working === null) throw new KitError('KIT_NOT_READY', 'the worker has not started');
    return working;
  };
  return {
    start: async ({ workspace, jobClass, concurrency, onChange }) => {
      const session = await deps.openSession(workspace);
      const notice = deps.assertShared(session);
      // A worker whose own copy of the policies cannot be used would deny, and so fail, every run
      // that it claims.
      await assertPolicies(session.prepare.plugins, session.workspace);
      await lookRound(session, deps.log);
      const stores = await session.openStores();
      const slots = new Slots(concurrency ?? session.workspace.maxConcurrent);
      const id = deps.ids.workerId();
      const loop = createSessionLoop(deps, {
        work,
        stores,
        slots,
        session: () => session,
        workerId: id,
        jobClass,
        onChange,
      });
      const process: WorkingProcess = {
        ...{ id, kind: 'worker', workspace, jobClass },
        concurrency: () => slots.max,
        active: () => slots.active,
        offers: () => work.approvedOffers(session, stores),
      };
      await deps.hooks?.onOpen(process);
      await loop.start();
      working = { loop, slots, process };
      await deps.hooks?.onStart(process);
      const { shutdownMs } = session.workspace.server.jobs;
      return {
        workerId: id,
        concurrency: slots.max,
        storage: `${stores.backend} (${stores.location})${notice === null ? '' : `, ${notice}`}`,
        shutdownMs,
      };
    },
    idle: () => started().loop.idle(),
    load: async () => {
      const { slots } = started();
      return { active: slots.active, maxConcurrent: slots.max };
    },
    drain: async (graceMs) => {
      const { loop, process } = started();
      await deps.hooks?.onDrain(process);
      await loop.drain(graceMs);
      await deps.hooks?.onStop(process);
    },
  };
}
