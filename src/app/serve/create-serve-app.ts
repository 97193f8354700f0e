import { KitError } from '../../domain/errors.js';
import type { Job } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import { createTurns } from '../../lib/turns.js';
import { Slots } from '../../worker/slots.js';
import { WorkLoop } from '../../worker/work-loop.js';
import { recordEnd } from '../canary/record-end.js';
import { fireDue } from '../review/fire-due.js';
import { queueResume } from '../runs/resume-run.js';
import type { RunSession } from '../runs/run-session.js';
import { createSessionWork, type SessionWork, type SessionWorkDeps } from '../runs/session-work.js';
import { stopJob } from '../stop-job.js';
import { reloadSession } from './reload-session.js';
import type { ReloadReport, ServeApp, ServerRun } from './serve-app.js';
import { type SubmitServerDeps, submitServerRun } from './submit-server-run.js';

/** Real parts behind a serving process. */
export interface ServeDeps<S extends RunSession = RunSession> extends SessionWorkDeps {
  /** The session of a workspace that this process shares. Throws KIT_WORKSPACE_NOT_FOUND, KIT_WORKSPACE_INVALID. */
  readonly openSession: (workspace: string) => Promise<S>;
  /** Reads the files again, beside the shared session. */
  readonly openAnew: (workspace: string) => Promise<S>;
  /** Everything of this process that asks for a session gets this one from now on. */
  readonly shareSession: (workspace: string, session: S) => void;
  /** 0 <= x < 1. */
  readonly random: () => number;
}

/** What runs between `start` and `drain`. */
interface Serving<S extends RunSession> {
  readonly workspace: string;
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
  const listeners = new Set<() => Promise<void> | void>();
  /** Submits of one key, and reloads, one after another. */
  const inTurn = createTurns();
  let state: State<S> = { kind: 'idle' };
  const serving = (): Serving<S> => {
    if (state.kind === 'serving') return state.serving;
    throw new KitError('KIT_NOT_READY', state.kind === 'idle' ? 'the server has not started' : 'the server is shutting down');
  };
  /** What still answers while runs are left to end. */
  const opened = (): Serving<S> => (state.kind === 'draining' ? state.serving : serving());
  const submit = async (run: ServerRun) => {
    const { session, stores, slots, loop } = serving();
    const parts: SubmitServerDeps = { ...deps, work, session, stores, slots };
    const done = run.once === null ? submitServerRun(parts, run) : inTurn(`${run.once.clientId}\n${run.once.key}`, () => submitServerRun(parts, run));
    const submitted = await done;
    if (!submitted.repeated) loop.nudge();
    return submitted;
  };
  return {
    start: async ({ workspace }) => {
      if (state.kind !== 'idle') throw new KitError('KIT_INTERNAL', 'a server is started once');
      const session = await deps.openSession(workspace);
      const stores = await session.openStores();
      const slots = new Slots(session.workspace.maxConcurrent);
      const now: Serving<S> = { workspace, stores, session, slots, loop: createLoop(deps, { work, stores, slots, session: () => now.session }) };
      await now.loop.start();
      state = { kind: 'serving', serving: now };
    },
    current: () => opened().session.workspace,
    submit,
    resume: async ({ job, by }) => {
      const { session, stores, loop } = serving();
      await requireJob(stores, job);
      const assertApproved = (row: Job) => work.assertMayGoOn({ session, stores, trust: [] }, row);
      const { recoverAll } = session.workspace.server.jobs;
      await queueResume({ ...deps, stores, claim: work.claim(session), recoverAll, assertApproved }, { job, topology: null, by });
      loop.nudge();
      return requireJob(stores, job);
    },
    stop: async ({ job, by }) => {
      const { stores } = opened();
      await requireJob(stores, job);
      return stopJob({ ...deps, stores }, { job, by });
    },
    load: () => {
      const { slots } = opened();
      return { active: slots.active, maxConcurrent: slots.max };
    },
    reload: () => inTurn('reload', () => reload(deps, serving(), listeners)),
    onReload: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    drain: async (graceMs) => {
      if (state.kind !== 'serving') return;
      const { serving: ending } = state;
      state = { kind: 'draining', serving: ending };
      await ending.loop.drain(graceMs);
    },
  };
}

function createLoop(
  deps: SessionWorkDeps,
  of: { readonly work: SessionWork; readonly stores: Stores; readonly slots: Slots; readonly session: () => RunSession },
): WorkLoop {
  const { work, stores, slots, session } = of;
  return new WorkLoop({
    ...deps,
    stores,
    slots,
    leaseMs: () => session().workspace.server.jobs.leaseMs,
    claim: () => work.claim(session()),
    jobDeps: () => work.jobDeps(session(), stores),
    afterRun: async (job) => {
      await countEnd(deps, of, job);
      await work.clearUp(session(), stores)();
    },
    fireDue: () => fireDue({ stores, ids: deps.ids }),
    recoverAll: () => session().workspace.server.jobs.recoverAll,
  });
}

/** A run that a canary route chose the version of is counted when it has ended. A count that fails is a log line. */
async function countEnd(deps: SessionWorkDeps, of: Parameters<typeof createLoop>[1], job: Job): Promise<void> {
  const { workspace } = of.session();
  if (workspace.server.canary.length === 0) return;
  try {
    const [row, { route }] = await Promise.all([of.stores.jobs.get(job.id), of.work.snapshotOf(of.stores, job)]);
    if (row !== null && route !== undefined) await recordEnd({ ...deps, stores: of.stores }, workspace, { job: row, route });
  } catch (error) {
    deps.log.warn('the end of a run could not be counted for its canary route', {
      job: job.id,
      error: error instanceof Error ? error.message : String(error),
    });
  }
}

async function reload<S extends RunSession>(
  deps: ServeDeps<S>,
  now: Serving<S>,
  listeners: ReadonlySet<() => Promise<void> | void>,
): Promise<ReloadReport> {
  const reloaded = await reloadSession(now.session, () => deps.openAnew(now.workspace));
  if (reloaded.kind === 'refused') return reloaded.report;
  now.session = reloaded.session;
  now.slots.resize(reloaded.session.workspace.maxConcurrent);
  deps.shareSession(now.workspace, reloaded.session);
  // Other adapters and plugins may run what waited.
  now.loop.nudge();
  for (const listener of listeners) await listener();
  return reloaded.report;
}

/** Over HTTP an id is the whole id. */
async function requireJob(stores: Stores, id: string): Promise<Job> {
  const job = await stores.jobs.get(id);
  if (job === null) throw new KitError('KIT_JOB_UNKNOWN', `there is no run ${id}`, { hint: 'GET /jobs lists the runs.' });
  return job;
}
