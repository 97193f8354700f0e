import { join } from 'node:path';
import type { CanaryApp } from '../../../src/app/canary/canary-app.js';
import { createCanaryApp } from '../../../src/app/canary/create-canary-app.js';
import type { ConversationsApp } from '../../../src/app/conversations/conversations-app.js';
import { createConversationsApp } from '../../../src/app/conversations/create-conversations-app.js';
import { createEvalApp } from '../../../src/app/evals/create-eval-app.js';
import type { EvalApp } from '../../../src/app/evals/eval-app.js';
import { REGEX_MS } from '../../../src/app/evals/expectations.js';
import { createFleetHooks } from '../../../src/app/fleet/fleet-hooks.js';
import { createJobsApp } from '../../../src/app/jobs/create-jobs-app.js';
import type { JobsApp } from '../../../src/app/jobs/jobs-app.js';
import { createMemoryApp } from '../../../src/app/memory/create-memory-app.js';
import type { MemoryApp } from '../../../src/app/memory/memory-app.js';
import { createReviewApp } from '../../../src/app/review/create-review-app.js';
import { readRoleFiles } from '../../../src/app/review/read-roles.js';
import type { ReviewApp } from '../../../src/app/review/review-app.js';
import { createRunsApp } from '../../../src/app/runs/create-runs-app.js';
import type { RunsApp } from '../../../src/app/runs/runs-app.js';
import { createSessionWork, type SessionWorkDeps } from '../../../src/app/runs/session-work.js';
import { createTextFeed } from '../../../src/app/runs/text-feed.js';
import { createServeApp } from '../../../src/app/serve/create-serve-app.js';
import type { ServeApp } from '../../../src/app/serve/serve-app.js';
import { validateWorkspace } from '../../../src/app/validate-workspace.js';
import type { WorkspaceReport } from '../../../src/app/workspace-report.js';
import { openSession, workspaceDeps } from '../../../src/boot/open-session.js';
import { createStoreOpener, type StorePlace } from '../../../src/boot/open-stores.js';
import { createOutbound } from '../../../src/boot/outbound.js';
import type { BootSession, SessionParts, SharedServers } from '../../../src/boot/parts.js';
import { openCassette } from '../../../src/cassette/open-cassette.js';
import type { Stores, WorkerHost } from '../../../src/domain/ports/stores.js';
import type { Clock, Log } from '../../../src/domain/ports/system.js';
import { onAbort } from '../../../src/lib/on-abort.js';
import { createClock } from '../../../src/system/clock.js';
import { nodeFiles } from '../../../src/system/files.js';
import { createIds } from '../../../src/system/ids.js';
import { nodeNewFiles } from '../../../src/system/new-files.js';
import { createPatternJudge } from '../../../src/system/patterns-in-time.js';
import { processStartOf, readWorkerHost } from '../../../src/system/worker-host.js';
import { openPlugins } from './scene-plugins.js';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const HOST = readWorkerHost();
/** A process of this machine that is certainly gone. */
const DEAD_HOST: WorkerHost = { ...HOST, pid: 2 ** 22 + 1, processStart: 'gone' };

export interface SceneAppOptions {
  readonly env: Readonly<Record<string, string>>;
  /** The process that runs it counts as dead: what it leaves may be taken over at once. */
  readonly isDoomed?: boolean;
  readonly wrap?: (stores: Stores) => Stores;
  /** Default: the real one. */
  readonly clock?: Clock;
  /** Default: silent. */
  readonly log?: Log;
  /** Default: SQLite in the directory. */
  readonly storage?: StorePlace['storage'];
  /** Stores that whoever asks has opened, and closes; default: those of `storage`. */
  readonly opened?: Stores;
  /** Default: each run has tool servers of its own. */
  readonly sharedServers?: SharedServers;
}

/**
 * The use cases behind `kit run` and `kit validate` over one directory, wired as `boot` wires them.
 */
export interface SceneApp {
  readonly runs: RunsApp;
  readonly serve: ServeApp;
  readonly jobs: JobsApp;
  readonly review: ReviewApp;
  readonly evals: EvalApp;
  readonly canary: CanaryApp;
  readonly conversations: ConversationsApp;
  readonly memory: MemoryApp;
  readonly validate: () => Promise<WorkspaceReport>;
  readonly stores: () => Promise<Stores>;
  /** How many plugin hosts are open: one of the process, and one of each session that lives. */
  readonly hosts: () => number;
  /** What the runs of the directory are made with. */
  readonly session: () => Promise<BootSession>;
  readonly close: () => Promise<void>;
}

export function openSceneApp(directory: string, options: SceneAppOptions): SceneApp {
  const clock = options.clock ?? createClock();
  const host = options.isDoomed === true ? DEAD_HOST : HOST;
  const ids = createIds(host);
  const plugins = openPlugins({ clock, log });
  const owned = new Set([plugins]);
  const stateDir = join(directory, '.kit');
  const wrap = options.wrap ?? ((stores: Stores) => stores);
  const opener = createStoreOpener({ env: options.env, clock, ids, log, processStartOf });
  const openArtifactBytes = () => Promise.reject(new Error('artifacts lie in the database here'));
  const here: StorePlace = {
    stateDir,
    storage: options.storage ?? { backend: 'sqlite' },
    audit: null,
    memory: null,
    artifacts: { kind: 'database' },
    openArtifactBytes,
  };
  const stores = async (place: StorePlace = here) => options.opened ?? opener.open(place);
  const texts = createTextFeed();
  const parts: SessionParts = {
    // A test about a failing provider is about the failure; what waits for it asks for patience.
    env: { KIT_OUTAGE_PATIENCE_S: '0', ...options.env },
    clock,
    ids,
    log,
    host: async () => plugins,
    openHost: async (side) => {
      const own = openPlugins({ clock, log, side });
      owned.add(own);
      return {
        ...own,
        dispose: async () => {
          owned.delete(own);
          await own.dispose();
        },
      };
    },
    openStores: async (place) => wrap(await stores(options.storage === undefined ? place : here)),
    openExisting: async (place) => options.opened ?? opener.openExisting(options.storage === undefined ? place : here),
    texts,
    outbound: createOutbound({ session: () => session() }),
    limiters: new Map(),
    sharedServers: options.sharedServers ?? { isOn: false, open: new Set() },
  };
  const openFleet = async () => (await stores()).serving.fleet;
  let opened: Promise<BootSession> | undefined;
  const session = () => (opened ??= openSession(parts, directory));
  const working: SessionWorkDeps = { clock, ids, log: options.log ?? log, host, defer: (fn) => void setImmediate(fn) };
  const runs = createRunsApp({
    ...working,
    osUser: 'tester',
    texts,
    openSession: session,
    openStores: async () => wrap(await stores()),
    openFleet,
    openTelemetry: async () => null,
    openCassette: (session, start) => openCassette({ clock, log, version: '0.0.0' }, session, start),
  });
  const serve = createServeApp({
    ...working,
    openSession: session,
    openAnew: (workspace) => openSession(parts, workspace),
    shareSession: (_, next) => {
      opened = Promise.resolve(next);
    },
    random: () => 0.5,
    hooks: createFleetHooks({ clock, log, host, version: async () => '0.0.0', openFleet }),
  });
  const work = createSessionWork(working);
  const loadWorkspace = async () => (await session()).workspace;
  const openExisting = async () => {
    const existing = options.opened ?? (await opener.openExisting(here));
    return existing === null ? null : wrap(existing);
  };
  return {
    runs,
    serve,
    jobs: createJobsApp({
      host,
      openStores: openExisting,
      openFleet,
      offers: async (_workspace, needs) => work.offers(await session(), needs),
      defer: (fn) => void setImmediate(fn),
    }),
    review: createReviewApp({
      clock,
      ids,
      host,
      openStores: openExisting,
      offers: async (_workspace, needs) => work.offers(await session(), needs),
      readRoles: (workspace) => readRoleFiles(workspace, { files: nodeFiles, environment: options.env }),
      loadWorkspace,
      signer: async () => null,
      maskOf: async () => (text) => text,
    }),
    evals: createEvalApp({
      clock,
      execute: async (start, signal) => {
        const handle = await runs.start(start);
        const off = onAbort(signal, () => void handle.stop(start.submittedBy.identity).catch(() => undefined));
        return handle.done.finally(off);
      },
      openStores: () => stores(),
      judgePatterns: createPatternJudge(REGEX_MS),
      loadWorkspace,
      resolveCheck: async (_, name) => (await session()).plugins.resolve('evalChecks', name, {}),
      files: nodeFiles,
      newFiles: nodeNewFiles,
      resultsDir: () => join(stateDir, 'eval-results'),
    }),
    canary: createCanaryApp({ clock, loadWorkspace, openStores: async () => (await session()).openStores() }),
    conversations: createConversationsApp({
      ids,
      loadWorkspace,
      openStores: async () => (await session()).openStores(),
      openExisting,
    }),
    memory: createMemoryApp({
      ids,
      clock,
      loadWorkspace,
      openStores: async () => (await session()).openStores(),
      openMemory: async () => (await openExisting())?.memory ?? null,
      maskOf: async () => (text) => text,
    }),
    stores: () => stores(),
    hosts: () => owned.size,
    session,
    validate: async () => validateWorkspace(directory, await workspaceDeps(parts)),
    close: async () => {
      await opener.close();
      for (const own of owned) await own.dispose();
    },
  };
}
