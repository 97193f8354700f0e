import { KitError } from '../../domain/errors.js';
import type { Job } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import { createKeyedMutex } from '../../lib/keyed-mutex.js';
import { Slots } from '../../worker/slots.js';
import type { WorkLoop } from '../../worker/work-loop.js';
import { jobCalled } from '../find-job.js';
import { lookRound } from '../runs/look-round.js';
import { resumeRun } from '../runs/resume-run.js';
import type { RunSession } from '../runs/run-session.js';
import { createSessionLoop } from '../runs/session-loop.js';
import { createSessionWork, type SessionWork, type SessionWorkDeps } from '../runs/session-work.js';
import { stopJob } from '../stop-job.js';
import { assertPolicies } from '../submit/assert-policies.js';
import type { ProcessHooks, WorkingProcess } from '../work/working-process.js';
import { type ReloadListener, reloadSession, runAll } from './reload-session.js';
import type { ReloadReport, ServeApp, ServeOptions, ServerRole, ServerRun } from './serve-app.js';
import { createStoreState } from './store-state.js';
import { type RunPlace, type SubmitServerDeps, submitServerRun } from './submit-server-run.js';

/** Real parts behind a serving process. */
export interface ServeDeps<S extends RunSession = RunSession> extends SessionWorkDeps {
  /**
   * The session of a workspace that this process shares. Throws KIT_WORKSPACE_NOT_FOUND,
   * KIT_WORKSPACE_INVALID.
   */
  readonly openSession: (workspace: string) => Promise<S>;
  /** Reads the files again, beside the shared session. */
  readonly openAnew: (workspace: string) => Promise<S>;
  /** Everything of this process that asks for a session gets this one from now on. */
  readonly shareSession: (workspace: string, session: S) => void;
  /** 0 <= x < 1. */
  readonly random: () => number;
  /** Default: nothing happens around the work. */
  readonly hooks?: ProcessHooks;
}

/** What runs between `start` and `drain`. */
interface Serving<S extends RunSession> {
  readonly workspace: string;
  readonly role: ServerRole;
  readonly place: RunPlace;
  readonly process: WorkingProcess;
  readonly stores: Stores;
  readonly slots: Slots;
  readonly loop: WorkLoop;
  /** Replaced as a whole by a reload. */
  session: S;
}

type State<S extends RunSession> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'serving'; readonly serving: Serving<S> }
  | { readonly kind: 'draining'; readonly serving: Serving<S> };

/** The serving process over parts that `boot` hands in. */
export function createServeApp<S extends RunSession>(deps: ServeDeps<S>): ServeApp {
  const work = createSessionWork(deps);
  const listeners = new Set<ReloadListener>();
  /** Submits of one key, and reloads, one after another. */
  const mutex = createKeyedMutex();
  let state: State<S> = { kind: 'idle' };
  const serving = (): Serving<S> => {
    if (state.kind === 'serving') return state.serving;
    throw new KitError(
      'KIT_NOT_READY',
      state.kind === 'idle' ? 'the server has not started' : 'the server is shutting down',
    );
  };
  const storeState = createStoreState(deps.clock);
  /** What still answers while runs are left to end. */
  const opened = (): Serving<S> => (state.kind === 'draining' ? state.serving : serving());
  const submit = async (run: ServerRun) => {
    const { session, stores, loop, place } = serving();
    const parts: SubmitServerDeps = { ...deps, work, session, stores, place };
    const { once } = run;
    const submitted = await session.hold(() =>
      once === null
        ? submitServerRun(parts, run)
        : mutex(`${once.clientId}\n${once.key}`, () => submitServerRun(parts, run)),
    );
    if (!submitted.repeated) loop.wake();
    return submitted;
  };
  /** A job that somebody goes on with, and what that takes of this process. */
  const openJob = async (job: string) => {
    await jobCalled(serving().stores, job);
    // A reload may come until then.
    const now = serving();
    const { session, stores, place } = now;
    const assertApproved = (row: Job) =>
      place.kind === 'queued'
        ? work.assertOwn({ session, stores }, row)
        : work.assertMayGoOn({ session, stores, trust: [] }, row);
    return { ...now, goingOn: { ...deps, stores, claimFor: work.claimFor(session), assertApproved } };
  };
  return {
    start: async (options) => {
      if (state.kind !== 'idle') throw new KitError('KIT_INTERNAL', 'a server is started once');
      const now = await open(deps, work, options);
      await deps.hooks?.onOpen(now.process);
      await now.loop.start();
      state = { kind: 'serving', serving: now };
      await deps.hooks?.onStart(now.process);
    },
    current: () => opened().session.workspace,
    role: () => opened().role,
    storeState: () => storeState(opened().stores.writing),
    submit,
    resume: async (ask) => {
      const { job } = ask;
      const { session, stores, loop, place, goingOn } = await openJob(job);
      const { recoverAll } = session.workspace.server.jobs;
      const parts = { ...goingOn, recoverAll, discardWorktrees: session.discardWorktrees };
      await session.hold(() => resumeRun(parts, { ...ask, topology: null }, place.kind));
      loop.wake();
      return jobCalled(stores, job);
    },
    retry: async ({ job, by, repeatPruned }) => {
      const { retryRun } = await import('../runs/retry-run.js');
      const { session, loop, place, goingOn } = await openJob(job);
      const retried = await session.hold(() =>
        retryRun(goingOn, { job, by: { source: 'serve', submittedBy: by }, repeatPruned }, place.kind),
      );
      loop.wake();
      return retried;
    },
    stop: async (ask) => {
      const { stores } = opened();
      await jobCalled(stores, ask.job);
      return stopJob({ ...deps, stores }, ask);
    },
    load: () => {
      const { slots } = opened();
      return { active: slots.active, maxConcurrent: slots.max };
    },
    reload: () => mutex('reload', () => reload(deps, serving(), listeners)),
    onReload: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    drain: async (graceMs) => {
      if (state.kind !== 'serving') return;
      const { serving: ending } = state;
      state = { kind: 'draining', serving: ending };
      await deps.hooks?.onDrain(ending.process);
      await ending.loop.drain(graceMs);
      await deps.hooks?.onStop(ending.process);
    },
  };
}

async function open<S extends RunSession>(
  deps: ServeDeps<S>,
  work: SessionWork,
  options: ServeOptions,
): Promise<Serving<S>> {
  const { workspace, role = 'all', maxQueued = null } = options;
  const session = await deps.openSession(workspace);
  await assertPolicies(session.prepare.plugins, session.workspace);
  if (role !== 'api') await lookRound(session, deps.log);
  const stores = await session.openStores();
  // Without a slot the loop claims nothing, and still takes over what crashed and fires deadlines.
  const slots = new Slots(role === 'api' ? 0 : session.workspace.maxConcurrent);
  const place: RunPlace = role === 'api' ? { kind: 'queued', maxQueued } : { kind: 'pending', slots };
  const [id, jobClass] = [deps.ids.workerId(), 'any'] as const;
  const now: Serving<S> = {
    ...{ workspace, role, place, stores, session, slots },
    loop: createSessionLoop(deps, { work, stores, slots, session: () => now.session, workerId: id, jobClass }),
    process: {
      ...{ id, kind: role === 'api' ? 'api' : 'server', workspace, jobClass },
      concurrency: () => slots.max,
      active: () => slots.active,
      offers: () => work.approvedOffers(now.session, stores),
    },
  };
  return now;
}

async function reload<S extends RunSession>(
  deps: ServeDeps<S>,
  now: Serving<S>,
  listeners: ReadonlySet<ReloadListener>,
): Promise<ReloadReport> {
  const reloaded = await reloadSession(now.session, () => deps.openAnew(now.workspace));
  if (reloaded.kind === 'refused') return reloaded.report;
  const { session: before } = now;
  now.session = reloaded.session;
  if (now.place.kind === 'pending') now.slots.resize(reloaded.session.workspace.maxConcurrent);
  deps.shareSession(now.workspace, reloaded.session);
  // Other adapters and plugins may run what waited.
  now.loop.wake();
  try {
    await runAll(listeners);
  } finally {
    before.retire();
  }
  return reloaded.report;
}
