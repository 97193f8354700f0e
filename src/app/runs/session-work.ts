import { KitError } from '../../domain/errors.js';
import type { Job, RunRequest } from '../../domain/job.js';
import { nameBeside } from '../../domain/job.js';
import { ENGINE } from '../../domain/journal.js';
import type { QueueClaim, Stores, WorkerHost } from '../../domain/ports/stores.js';
import type { Clock, Ids, Log } from '../../domain/ports/system.js';
import type { RunSnapshot } from '../../domain/snapshot.js';
import type { Workspace } from '../../domain/workspace.js';
import { createSemaphore } from '../../lib/semaphore.js';
import { foldFigures } from '../../view/run-figures.js';
import type { RunJobDeps } from '../../worker/run-job-deps.js';
import { createSnapshotCache } from '../../worker/snapshot-cache.js';
import { entryEvent } from '../entry-events.js';
import { approveOrRefuse } from '../submit/adapter-trust.js';
import type { PrepareDeps } from '../submit/freeze.js';
import { type PreparedRun, prepareRun } from '../submit/prepare-run.js';
import { clearUpAfter } from './drain-one.js';
import { createOffers, type SessionOffers } from './offers.js';
import type { ResumeDeps } from './resume-run.js';
import type { RunSession } from './run-session.js';
import type { PlanRun } from './runs-app.js';

/**
 * Runs that are prepared at once. Of a thousand that are submitted together the first is at work
 * while the last is still looked at, and not all of their snapshots are in memory together.
 */
const PREPARED_AT_ONCE = 32;

/** What working on the runs of a session takes of this process. */
export interface SessionWorkDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly host: WorkerHost;
  readonly defer: RunJobDeps['defer'];
}

/**
 * What every process that runs does with an opened session: `kit run`, a server, a worker. There is
 * no second way.
 */
export interface SessionWork extends SessionOffers {
  /** A claim of this process, of one job. */
  claimFor(session: RunSession): ResumeDeps['claimFor'];
  /** A claim from the queue: of what may be claimed there, as `metOffers` tells it. */
  queueClaim(session: RunSession, claimer: Pick<QueueClaim, 'workerId' | 'jobClass'>): QueueClaim;
  /**
   * What `runJob` needs. Approvals are asked again when a run is opened: one may be gone by then
   * (docs/design/journal.md#live).
   */
  jobDeps(session: RunSession, stores: Stores): RunJobDeps;
  /** Removes what ended runs kept or left. */
  clearUp(session: RunSession, stores: Stores): () => Promise<void>;
  /**
   * What authorises a run to go on; the log of one that people decided about is checked. Throws
   * KIT_ADAPTER_UNTRUSTED, KIT_JOB_NOT_RESUMABLE, KIT_LOG_BROKEN.
   */
  assertMayGoOn(
    of: { readonly session: RunSession; readonly stores: Stores; readonly trust: readonly string[] },
    job: Job,
  ): Promise<void>;
  /**
   * The run is one of this workspace; what authorises it is asked where it is executed. Throws
   * KIT_JOB_NOT_RESUMABLE.
   */
  assertOwn(of: { readonly session: RunSession; readonly stores: Stores }, job: Job): Promise<void>;
  /** The frozen work of a job. */
  snapshotOf(stores: Pick<Stores, 'blobs'>, job: Job): Promise<RunSnapshot>;
  /** `prepareRun` of this session; the refusal of an input is written to the log. */
  prepare(session: RunSession, request: RunRequest, where?: Pick<PrepareDeps, 'mode'>): Promise<PreparedRun>;
}

export function createSessionWork(deps: SessionWorkDeps): SessionWork {
  const offered = createOffers(deps.clock);
  const readSnapshot = createSnapshotCache();
  const inTurn = createSemaphore(PREPARED_AT_ONCE);
  /** Over the stores of the session. */
  const clearing = new WeakMap<RunSession, () => Promise<void>>();
  const claimOf = (session: RunSession) => ({ leaseMs: leaseOf(session), engine: ENGINE, limit: 1, host: deps.host });
  return {
    ...offered,
    claimFor: (session) => async (needs) => ({
      ...claimOf(session),
      workerId: deps.ids.workerId(),
      jobClass: 'any',
      offers: await offered.offers(session, [needs]),
    }),
    queueClaim: (session, claimer) => ({
      ...claimOf(session),
      ...claimer,
      offersFor: (needs) => offered.metOffers(session, needs),
    }),
    jobDeps: (session, stores) => ({
      ...deps,
      leaseMs: leaseOf(session),
      ...{ stores, readSnapshot, hold: session.hold },
      openFigures: foldFigures,
      assertIntact: async (job) => (await import('../proof/check-log.js')).assertLogIntact(stores, job),
      open: async (job, snapshot) => {
        assertOwn(job, snapshot, session.workspace);
        await assertApproved(session, snapshot, []);
        return session.openFacilities(job, snapshot);
      },
    }),
    clearUp: (session, stores) => {
      const known = clearing.get(session);
      if (known !== undefined) return known;
      const { journalDays } = session.workspace;
      const clearUp = clearUpAfter({ ...deps, stores, journalDays, sweepWorktrees: session.sweepWorktrees });
      clearing.set(session, clearUp);
      return clearUp;
    },
    assertMayGoOn: async ({ session, stores, trust }, job) => {
      const snapshot = await readSnapshot(stores.blobs, job);
      assertOwn(job, snapshot, session.workspace);
      await assertApproved(session, snapshot, trust);
      const state = await stores.reviews.state(job.id);
      if (state === null || state.items.length === 0) return;
      await (await import('../proof/check-log.js')).assertLogIntact(stores, job);
    },
    assertOwn: async ({ session, stores }, job) =>
      assertOwn(job, await readSnapshot(stores.blobs, job), session.workspace),
    snapshotOf: ({ blobs }, job) => readSnapshot(blobs, job),
    prepare: (session, request, where = {}) => {
      const { workspace, prepare } = session;
      const here = { ...prepare, ...where, workspace, onInputRejected: audit(deps, session, request) };
      return inTurn(() => prepareRun(here, request));
    },
  };
}

const leaseOf = ({ workspace }: RunSession): number => workspace.server.jobs.leaseMs;

function audit(deps: SessionWorkDeps, session: RunSession, request: RunRequest): PrepareDeps['onInputRejected'] {
  return async (topology, errors) => {
    const event = entryEvent(deps, {
      type: 'input.rejected',
      topology,
      payload: {
        errors: errors.map(({ pointer, message }) => ({ pointer, message })),
        submitted_by: request.submittedBy.identity,
        ...nameBeside(request.submittedBy),
      },
    });
    await (await session.openStores()).events.append(event, request.labels, request.correlationId);
  };
}

/**
 * One state directory may serve several workspaces: a run goes on where it was submitted, not in
 * another's files.
 */
function assertOwn(job: Job, { workspaceId }: RunSnapshot, workspace: Workspace): void {
  if (workspaceId === workspace.id) return;
  throw new KitError(
    'KIT_JOB_NOT_RESUMABLE',
    `run ${job.id} is one of the workspace ${workspaceId}, and this is ${workspace.id}`,
    {
      hint: `Name the workspace ${workspaceId}, or another run with --resume=RUN.`,
      data: { job_id: job.id, workspace: workspaceId },
    },
  );
}

/**
 * `--trust <digest>` is an approval like an answered question: it is recorded before anything else
 * is written.
 */
export const assertApproved = (
  { trust, workspace }: RunSession,
  { adapters }: RunSnapshot,
  digests: readonly string[],
): Promise<void> => approveOrRefuse(trust, { workspace, adapters, digests });

const PATIENCE = 'KIT_OUTAGE_PATIENCE_S';

/** Seconds: nobody looks on, and what started the run has a bound of its own. */
const UNATTENDED_S = 60;

/** The same session; a run that is prepared in it has the patience that its start asks for. */
export function withPatience(session: RunSession, { patience }: Pick<PlanRun, 'patience'>): RunSession {
  if (patience === undefined) return session;
  const { prepare } = session;
  if (patience === 'unattended' && prepare.isSet(PATIENCE)) return session;
  const seconds = patience === 'unattended' ? UNATTENDED_S : patience;
  return { ...session, prepare: { ...prepare, env: { ...prepare.env, [PATIENCE]: seconds } } };
}
