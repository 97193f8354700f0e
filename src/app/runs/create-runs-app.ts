import { KitError } from '../../domain/errors.js';
import type { Job, RunRequest, SubmittedFrom } from '../../domain/job.js';
import type { JobOffers } from '../../domain/job-needs.js';
import type { EventSink } from '../../domain/ports/sinks.js';
import type { Stores } from '../../domain/ports/stores.js';
import { noRunHere } from '../find-job.js';
import type { FleetReadDeps } from '../fleet/queue-stats.js';
import { stopJob } from '../stop-job.js';
import { approveAdapter } from '../submit/adapter-trust.js';
import { type PreparedRun, prepareRun } from '../submit/prepare-run.js';
import { submitRun } from '../submit/submit-run.js';
import { branchUses } from './branch-uses.js';
import { type DrainDeps, drainOne } from './drain-one.js';
import { goOn } from './go-on.js';
import { resumeRun } from './resume-run.js';
import type { RunSession } from './run-session.js';
import type { CassetteUse, PlanRun, RunHandle, RunsApp, StartRun } from './runs-app.js';
import { assertApproved, createSessionWork, type SessionWorkDeps, withPatience } from './session-work.js';
import type { TextFeed } from './text-feed.js';

/** A start whose answers are kept or come from a file: its session, and what happens around it. */
export interface CassetteRun {
  readonly session: RunSession;
  /** The start with what the file fills in. */
  readonly start: StartRun;
  /** What this process offers besides, so that it alone can claim the run. */
  readonly offers?: Pick<JobOffers, 'cassette'>;
  /** Everything is checked, nothing is written: the run as it is to be submitted. */
  begin(prepared: PreparedRun): Promise<PreparedRun>;
  /** The run was not submitted after all. */
  cancel(): void;
  follow(handle: RunHandle): RunHandle;
}

/** Real parts behind the use cases. */
export interface RunsDeps extends SessionWorkDeps {
  readonly osUser: string;
  /** What models of this process write meanwhile. */
  readonly texts: Pick<TextFeed, 'follow'>;
  /** Loads and checks a workspace. Throws KIT_WORKSPACE_NOT_FOUND, KIT_WORKSPACE_INVALID. */
  readonly openSession: (workspace: string) => Promise<RunSession>;
  /** Opens the store of a workspace without reading its YAML; null when it has none yet. */
  readonly openStores: (workspace: string) => Promise<Stores | null>;
  readonly openFleet: FleetReadDeps['openFleet'];
  /**
   * Where runs of this process are exported to; null = nowhere. Throws KIT_ENV_INVALID and
   * KIT_PLUGIN_*: the run is refused then.
   */
  readonly openTelemetry: (workspace: string) => Promise<EventSink | null>;
  /** Puts a recorder or a cassette between a run and its outside. */
  readonly openCassette: (
    session: RunSession,
    start: StartRun & { readonly cassette: CassetteUse },
  ) => Promise<CassetteRun>;
}

/** The use cases around runs, over parts that `boot` hands in. */
export function createRunsApp(deps: RunsDeps): RunsApp {
  const work = createSessionWork(deps);
  const drainDeps = (session: RunSession, stores: Stores, sink: EventSink | null): DrainDeps => ({
    ...deps,
    ...work.jobDeps(session, stores),
    claimFor: work.claimFor(session),
    ...{ stores, clearUp: work.clearUp(session, stores), sweepContainers: session.sweepContainers },
    ...(sink === null ? {} : { exported: exporting(deps, { session, stores, sink }) }),
  });
  /** What it takes to go on with a run, and to follow it once it is claimed. */
  const goingOn = async (of: Asked & { readonly trust: readonly string[] }) => {
    const { stores, session } = await openFor(deps, of);
    const assertApproved = (job: Job) => work.assertMayGoOn({ session, stores, trust: of.trust }, job);
    return {
      parts: { ...deps, stores, claimFor: work.claimFor(session), assertApproved },
      discardWorktrees: session.discardWorktrees,
      follow: (sink: EventSink | null, claimed: { readonly job: Job; readonly askedAtMs: number }) =>
        drainOne(drainDeps(session, stores, sink), claimed, { warnings: [], advice: [], author: null }),
    };
  };
  return {
    plan: async (start) => plan(await deps.openSession(start.workspace), start),
    start: async (asked) => {
      const taped = await tape(deps, withPatience(await deps.openSession(asked.workspace), asked), asked);
      const { session, start } = taped;
      const checked = await work.prepare(session, requestOf(start));
      await assertApproved(session, checked.snapshot, start.trust);
      // What is replayed calls nobody.
      const sink = start.cassette?.kind === 'replay' ? null : await deps.openTelemetry(start.workspace);
      const prepared = await taped.begin(checked);
      const own = await work.claimFor(session)(prepared.job.needs);
      const claimed = { ...own, offers: { ...own.offers, ...taped.offers } };
      try {
        const stores = await session.openStores();
        const request = { ...requestOf(start), submittedFrom: here(deps) };
        const askedAtMs = deps.clock.now();
        const job = await submitRun({ ...deps, stores }, { prepared, request, claim: claimed });
        return taped.follow(
          drainOne(
            drainDeps(session, stores, sink),
            { job, askedAtMs },
            { warnings: prepared.warnings, advice: prepared.advice, author: prepared.author },
          ),
        );
      } catch (error) {
        taped.cancel();
        throw error;
      }
    },
    resume: async (resume) => {
      const { parts, discardWorktrees, follow } = await goingOn(resume);
      const sink = await deps.openTelemetry(resume.workspace);
      const askedAtMs = deps.clock.now();
      return follow(sink, { job: await resumeRun({ ...parts, discardWorktrees }, resume), askedAtMs });
    },
    ...branchUses({
      open: async (asked) => {
        const { parts, follow } = await goingOn(asked);
        const sink = await deps.openTelemetry(asked.workspace);
        const askedAtMs = deps.clock.now();
        return { deps: parts, follow: (job) => follow(sink, { job, askedAtMs }) };
      },
    }),
    goOn: async (request) => {
      const { parts, follow } = await goingOn({ ...request, trust: [] });
      const askedAtMs = deps.clock.now();
      const result = await goOn({ ...parts, here: here(deps) }, request);
      if (result.kind === 'left') return result;
      // The decision is recorded: whether somebody can be told of the run takes nothing from it.
      const sink = await deps.openTelemetry(request.workspace).catch((error: unknown) => {
        deps.log.warn('the run will not be exported', { error });
        return null;
      });
      return { kind: 'taken', handle: follow(sink, { job: result.job, askedAtMs }) };
    },
    stop: async (stop) => {
      const stores = await deps.openStores(stop.workspace);
      if (stores === null) throw noRun(stop.job);
      // A run whose process died is nobody's: it is stopped here and now instead of being asked to.
      await stores.jobs.sweep(deps.host);
      return stopJob({ ...deps, stores }, stop);
    },
    checkpoints: async (list) => {
      const stores = await deps.openStores(list.workspace);
      if (stores === null) return [];
      await stores.jobs.sweep(deps.host);
      const [{ fireDue }, { listCheckpoints }, { claimantsIn }] = await Promise.all([
        import('../review/fire-due.js'),
        import('../list-checkpoints.js'),
        import('../fleet/claimants-in.js'),
      ]);
      await fireDue({ ...deps, stores });
      return listCheckpoints(stores, {
        limit: list.limit,
        offers: async (needs) => work.metOffers(await deps.openSession(list.workspace), needs),
        claimants: () => claimantsIn(deps, list.workspace),
      });
    },
    introduce: async (start) => {
      const session = await deps.openSession(start.workspace);
      return (await session.visits.isFirst(session.workspace.root)) ? plan(session, start) : null;
    },
    approveAdapter: async ({ workspace, adapter }) => approveAdapter(await deps.openSession(workspace), adapter),
  };
}

/** The end of a run of this process, for whoever collects traces; loaded when there is one. */
function exporting(
  deps: RunsDeps,
  of: { readonly session: RunSession; readonly stores: Stores; readonly sink: EventSink },
) {
  const { session, stores, sink } = of;
  return async (job: Job): Promise<void> => {
    const { exportRun } = await import('../events/sinks/export-run.js');
    await exportRun({ ...deps, stores, sink, holder: deps.ids.workerId(), workspaceId: session.workspace.id }, job);
  };
}

/** Without a cassette nothing stands in between. */
async function tape(deps: RunsDeps, session: RunSession, start: StartRun): Promise<CassetteRun> {
  const { cassette } = start;
  if (cassette !== undefined) return deps.openCassette(session, { ...start, cassette });
  return { session, start, begin: async (prepared) => prepared, cancel: () => undefined, follow: (handle) => handle };
}

const here = ({ host, osUser }: RunsDeps): SubmittedFrom => ({ host: host.hostname, osUser });

/** A run of a workspace; null = the newest that can go on. */
interface Asked {
  readonly workspace: string;
  readonly job: string | null;
}

async function openFor(deps: RunsDeps, of: Asked) {
  const stores = await deps.openStores(of.workspace);
  if (stores === null) throw noRun(of.job);
  return { stores, session: await deps.openSession(of.workspace) };
}

const noRun = (job: string | null): KitError =>
  job === null ? new KitError('KIT_NOTHING_TO_RESUME', 'nothing was ever run in this workspace') : noRunHere(job);

/** Writes nothing, the refusal of an input included: nobody submitted one. */
function plan(session: RunSession, start: PlanRun): Promise<PreparedRun> {
  const deps = { ...session.prepare, workspace: session.workspace, onInputRejected: async () => undefined };
  return prepareRun(
    start.input === undefined ? { ...deps, mode: 'plan' } : deps,
    requestOf({ ...start, input: start.input ?? '' }),
  );
}

function requestOf({ workspace, trust, patience, cassette, ...said }: StartRun): RunRequest {
  return { source: 'cli', ...said, recover: 'manual' };
}
