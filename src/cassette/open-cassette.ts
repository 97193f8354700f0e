import type { CassetteRun } from '../app/runs/create-runs-app.js';
import type { RunSession } from '../app/runs/run-session.js';
import type { CassetteUse, RunHandle, StartRun } from '../app/runs/runs-app.js';
import type { TrustStore } from '../app/submit/adapter-trust.js';
import type { PreparedRun } from '../app/submit/prepare-run.js';
import { topologyOf } from '../compile/link/topology-of.js';
import { KitError } from '../domain/errors.js';
import type { Job } from '../domain/job.js';
import { ENGINE } from '../domain/journal.js';
import type { JsonObject } from '../domain/json.js';
import type { Clock, Log } from '../domain/ports/system.js';
import { AnswerBook } from './answer-book.js';
import { CASSETTE_FORMAT, CASSETTE_TYPE, type CassetteHeader } from './format.js';
import { type Cassette, readCassette } from './read-cassette.js';
import { recordFacilities } from './record-facilities.js';
import { replayFacilities } from './replay-facilities.js';
import { ReplayScheduler } from './replay-scheduler.js';
import { plain } from './requests.js';
import { CassetteWriter } from './write-cassette.js';

/** What a recording is stamped with. */
export interface CassetteDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  /** Version of this kit. */
  readonly version: string;
}

/**
 * The same session with recorders, or with a cassette, between a run and its outside. Nothing is
 * written yet.
 */
export function openCassette(
  deps: CassetteDeps,
  session: RunSession,
  start: StartRun & { readonly cassette: CassetteUse },
): Promise<CassetteRun> {
  return start.cassette.kind === 'record' ? record(deps, session, start) : replay(deps, session, start);
}

async function record(
  deps: CassetteDeps,
  session: RunSession,
  start: StartRun & { readonly cassette: CassetteUse },
): Promise<CassetteRun> {
  const names = new Set<string>();
  let writer: CassetteWriter | null = null;
  const { prepare } = session;
  const recorded: RunSession = {
    ...session,
    // Which keys are set can decide which provider is chosen: a replay decides as this run did.
    prepare: {
      ...prepare,
      // Each try of a step after a wait would begin to number its answers anew.
      env: { ...prepare.env, KIT_OUTAGE_PATIENCE_S: 0 },
      isSet: (name) => {
        if (!prepare.isSet(name)) return false;
        names.add(name);
        return true;
      },
    },
    openFacilities: async (job, snapshot) => {
      const facilities = await session.openFacilities(job, snapshot);
      // Runs that this one asks for have step keys of their own, and the same ones.
      return writer === null || job.source === 'agent' ? facilities : recordFacilities(facilities, writer);
    },
  };
  return {
    session: recorded,
    start,
    begin: async (prepared) => {
      writer = new CassetteWriter(
        start.cassette.file,
        headerOf(deps, { prepared, start, set: [...names].sort() }),
        deps.log,
      );
      return prepared;
    },
    cancel: () => writer?.discard(),
    follow: (handle) =>
      whenDone(handle, {
        ended: ({ status, reason }) => writer?.finish({ status, reason }),
        lost: () => writer?.leave(),
      }),
  };
}

interface HeaderFacts {
  readonly prepared: PreparedRun;
  readonly start: StartRun;
  readonly set: readonly string[];
}

function headerOf(deps: CassetteDeps, { prepared, start, set }: HeaderFacts): CassetteHeader {
  const { snapshot, job } = prepared;
  return {
    type: CASSETTE_TYPE,
    format: CASSETTE_FORMAT,
    kit: deps.version,
    recorded_at: new Date(deps.clock.now()).toISOString(),
    engine: ENGINE,
    workspace: snapshot.workspaceId,
    topology: { name: snapshot.topology.name, version: snapshot.topology.version },
    snapshot: job.snapshot,
    request: { input: start.input, attachments: start.attachments.map(plain) },
    env: snapshot.env,
    set,
    base_commit: snapshot.baseCommit,
    owner: job.submittedBy.identity,
  };
}

async function replay(
  deps: CassetteDeps,
  session: RunSession,
  start: StartRun & { readonly cassette: CassetteUse },
): Promise<CassetteRun> {
  const cassette = await readCassette(start.cassette.file);
  assertSame(cassette, session, start);
  const { header } = cassette;
  const book = new AnswerBook(cassette);
  const scheduler = new ReplayScheduler(() => new Promise((resolve) => setImmediate(resolve)));
  return {
    session: {
      ...session,
      // Nothing is started and nobody is asked: there is nothing to approve, to price or to hold a
      // key for.
      trust: EVERYTHING,
      prepare: {
        ...session.prepare,
        trust: EVERYTHING,
        env: header.env,
        isSet: (name) => header.set.includes(name),
        assertPrices: async () => undefined,
        headCommit: async () => header.base_commit,
        mode: 'replay',
      },
      openFacilities: async (job, snapshot) =>
        replayFacilities(await session.openFacilities(job, snapshot), { book, scheduler, header }),
      openStores: async () => scheduler.watch(await session.openStores()),
    },
    start: asRecorded(cassette, start),
    offers: { cassette: cassette.digest },
    begin: async (prepared) => ({
      ...prepared,
      job: { ...prepared.job, needs: { ...prepared.job.needs, cassette: cassette.digest } },
    }),
    cancel: () => undefined,
    follow: (handle) =>
      whenDone(handle, {
        ended: (job) => {
          const unused = book.firstMiss === null && job.status === cassette.end.status ? book.unused() : [];
          if (unused.length > 0)
            deps.log.warn('the replay did not ask for everything that was recorded', {
              answers: unused.length,
              first_step: unused[0],
            });
        },
        lost: () => undefined,
      }),
  };
}

/**
 * Without an input of its own the run is asked what the recorded one was; its attachments are read
 * from the workspace again.
 */
function asRecorded({ header }: Cassette, start: StartRun & { readonly cassette: CassetteUse }): StartRun {
  if (start.cassette.kind !== 'replay' || !start.cassette.isInputRecorded) return start;
  const attachments = start.attachments.length > 0 ? start.attachments : header.request.attachments;
  return { ...start, input: header.request.input, attachments };
}

/** A topology that the workspace lacks is left to the submission, which lists those that it has. */
function assertSame({ file, header }: Cassette, session: RunSession, start: StartRun): void {
  const { workspace } = session;
  const topology = topologyOf(workspace, start.topology);
  const recorded = `${header.topology.name}@${header.topology.version}`;
  if (header.workspace !== workspace.id) {
    throw mismatch(
      `the cassette ${file} was recorded in the workspace ${header.workspace}, and this is ${workspace.id}`,
      {
        hint: `Name the workspace ${header.workspace}, or record again.`,
        data: { file, recorded: header.workspace, asked: workspace.id },
      },
    );
  }
  if (topology === null) return;
  const asked = `${topology.name}@${topology.version}`;
  if (asked !== recorded) {
    throw mismatch(`the cassette ${file} holds a run of ${recorded}, and ${asked} is asked for`, {
      hint: `Run ${recorded}, or record ${asked} with --record.`,
      data: { file, recorded, asked },
    });
  }
}

const mismatch = (message: string, options: { readonly hint: string; readonly data: JsonObject }): KitError =>
  new KitError('KIT_CASSETTE_MISMATCH', message, options);

interface Ends {
  readonly ended: (job: Job) => void;
  readonly lost: () => void;
}

function whenDone(handle: RunHandle, ends: Ends): RunHandle {
  const done = handle.done.then(
    (job) => {
      ends.ended(job);
      return job;
    },
    (error: unknown) => {
      ends.lost();
      throw error;
    },
  );
  // Whoever awaits it gets the rejection; nobody has to.
  done.catch(() => undefined);
  return { ...handle, done };
}

const EVERYTHING: TrustStore = { has: async () => true, add: async () => undefined, last: async () => null };
