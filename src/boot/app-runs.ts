import type { FleetHooksDeps } from '../app/fleet/fleet-hooks.js';
import type { ReviewDeps } from '../app/review/deps.js';
import type { RunsDeps } from '../app/runs/create-runs-app.js';
import type { RunsApp } from '../app/runs/runs-app.js';
import type { SessionWorkDeps } from '../app/runs/session-work.js';
import type { ServeDeps } from '../app/serve/create-serve-app.js';
import type { WorkerDeps } from '../app/work/create-worker-app.js';
import type { ProcessHooks } from '../app/work/working-process.js';
import { osUser } from '../cli/os-user.js';
import type { RoleDirectory } from '../domain/gates.js';
import type { JobNeeds } from '../domain/job-needs.js';
import type { EventSink } from '../domain/ports/sinks.js';
import { createSharedServers } from '../worker/shared-servers.js';
import type { DocumentReader } from './open-documents.js';
import { noVault } from './open-vault.js';
import type { AppParts, BootSession, EventsParts, Outbound, Plugins, Runs, SessionParts } from './parts.js';

/** Wires the use cases around runs; every part is imported when it is first used. */
export function createRuns(parts: AppParts, plugins: Plugins, outbound: Outbound): Runs {
  let built: ReturnType<typeof buildRuns> | undefined;
  let documents: Promise<DocumentReader> | undefined;
  /** What was read of documents is remembered as long as this process validates. */
  const openDocuments = () => (documents ??= import('./open-documents.js').then(({ openDocuments: open }) => open()));
  const build = () => (built ??= buildRuns(parts, plugins, outbound));
  const app = async (): Promise<RunsApp> => (await build()).app;
  return {
    app: {
      plan: async (start) => (await app()).plan(start),
      start: async (start) => (await app()).start(start),
      resume: async (resume) => (await app()).resume(resume),
      fork: async (fork) => (await app()).fork(fork),
      retry: async (retry) => (await app()).retry(retry),
      goOn: async (request) => (await app()).goOn(request),
      stop: async (stop) => (await app()).stop(stop),
      checkpoints: async (list) => (await app()).checkpoints(list),
      introduce: async (start) => (await app()).introduce(start),
      approveAdapter: async (approve) => (await app()).approveAdapter(approve),
    },
    observe: async () => (await build()).observe,
    review: async () => (await build()).review,
    session: async (workspace) => (await build()).sessionOf(workspace),
    serve: async () => {
      const { serve, hooks, sharedServers } = await build();
      sharedServers.turnOn();
      return { ...serve, hooks: await hooks() };
    },
    work: async () => {
      const { work, hooks, sharedServers } = await build();
      sharedServers.turnOn();
      return { ...work, hooks: await hooks() };
    },
    events: async () => (await build()).events,
    validate: async (directory, as) => {
      const [{ validateWorkspace }, { workspaceDeps }] = await Promise.all([
        import('../app/validate-workspace.js'),
        import('./open-session.js'),
      ]);
      const deps = await workspaceDeps({ env: parts.env, host: plugins.host });
      const openPlugins: (typeof deps)['openPlugins'] = async ({ root, credentials }, lookup) => {
        const [{ openWorkspaceHost }, { events }] = await Promise.all([import('./workspace-host.js'), build()]);
        const { host } = await openWorkspaceHost({
          env: parts.env,
          log: events.log,
          files: deps.files,
          openHost: plugins.openHost,
          vault: noVault,
          outbound,
          workspace: { root, credentials, lookup },
        });
        return host;
      };
      return validateWorkspace(directory, { ...deps, ...as, openPlugins, openDocuments });
    },
    close: async () => {
      const opened = await built?.catch(() => null);
      await opened?.sharedServers.close();
      await opened?.stores.close();
    },
  };
}

async function buildRuns(parts: AppParts, plugins: Plugins, outbound: Outbound) {
  const [
    { createClock },
    { createIds },
    { createLog },
    { processStartOf, readWorkerHost },
    { createRunsApp },
    { createSessionWork },
    { createTextFeed },
    { createStoreOpener },
    { createWorkspaceStores },
  ] = await Promise.all([
    import('../system/clock.js'),
    import('../system/ids.js'),
    import('../system/log.js'),
    import('../system/worker-host.js'),
    import('../app/runs/create-runs-app.js'),
    import('../app/runs/session-work.js'),
    import('../app/runs/text-feed.js'),
    import('./open-stores.js'),
    import('./workspace-stores.js'),
  ]);
  const clock = createClock();
  const host = readWorkerHost();
  const ids = createIds(host);
  const log = createLog({ clock, level: parts.settings.verbose ? 'info' : 'warn', write: parts.logLines.write });
  const texts = createTextFeed();
  const { env } = parts;
  const sharedServers = createSharedServers();
  const stores = createStoreOpener({ env, clock, ids, log, processStartOf, scratch: parts.scratch });
  const shared: SessionParts = {
    env,
    clock,
    ids,
    log,
    host: plugins.host,
    openHost: plugins.openHost,
    openStores: stores.open,
    openExisting: stores.openExisting,
    texts,
    outbound,
    sharedServers,
  };
  const storeDeps = createWorkspaceStores(shared, stores);
  const sessions = new Map<string, Promise<BootSession>>();
  const openAnew = async (workspace: string): Promise<BootSession> =>
    (await import('./open-session.js')).openSession(shared, workspace);
  const sessionOf = (workspace: string): Promise<BootSession> => {
    const known = sessions.get(workspace) ?? openAnew(workspace);
    sessions.set(workspace, known);
    return known;
  };
  const workerDeps: SessionWorkDeps = { clock, ids, log, host, defer: (fn) => void setImmediate(fn) };
  const app = createRunsApp({
    ...workerDeps,
    osUser: osUser(),
    texts,
    openSession: sessionOf,
    openCassette: cassettes(parts.plugins.packageRoot, { clock, log }),
    ...storeDeps,
    openTelemetry: async (workspace) => openTelemetry(await sessionOf(workspace), env),
  });
  const offering = createSessionWork(workerDeps);
  const maskOf = async (workspace: string): Promise<(text: string) => string> => {
    const { alsoResolved, maskOfWorkspace } = await import('./known-secrets.js');
    return alsoResolved(await maskOfWorkspace(workspace, { env, log }), sessions.get(workspace));
  };
  const readDeps = {
    clock,
    ids,
    host,
    ...storeDeps,
    maskOf,
    offers: async (workspace: string, needs: readonly JobNeeds[]) =>
      offering.metOffers(await sessionOf(workspace), needs),
  };
  const review: ReviewDeps = {
    ...readDeps,
    readRoles: (workspace) => readRoles(workspace, env),
    loadWorkspace: async (workspace) => (await sessionOf(workspace)).workspace,
    signer: async () => (await import('./signing-key.js')).openSigner(env).sign,
  };
  const serve: ServeDeps<BootSession> = {
    ...workerDeps,
    openSession: sessionOf,
    openAnew,
    shareSession: (workspace, session) => {
      sessions.set(workspace, Promise.resolve(session));
      sharedServers.retire(session.workspace.root);
    },
    random: Math.random,
  };
  const hooks = () => openHooks({ clock, log, host, openFleet: storeDeps.openFleet }, parts);
  const { assertSharedStorage } = await import('../app/storage/assert-shared-storage.js');
  const work: WorkerDeps<BootSession> = {
    ...workerDeps,
    openSession: sessionOf,
    assertShared: ({ workspace, storageEnvironment }) =>
      assertSharedStorage(workspace.storage, storageEnvironment, 'worker'),
  };
  const { readRoles: rolesOf } = review;
  const exporter = env.KIT_OTEL_EXPORTER || null;
  const events: EventsParts = {
    clock,
    ids,
    log,
    exporter,
    openStores: storeDeps.openStores,
    readRoles: rolesOf,
    maskOf,
    sessionOf,
  };
  return { app, stores, observe: readDeps, review, events, serve, work, hooks, sessionOf, sharedServers };
}

/** Loaded with the first run that records or replays. */
function cassettes(
  packageRoot: string,
  { clock, log }: Pick<SessionWorkDeps, 'clock' | 'log'>,
): RunsDeps['openCassette'] {
  return async (session, start) => {
    const [{ openCassette }, { readPjson }] = await Promise.all([
      import('../cassette/open-cassette.js'),
      import('./discovery/load-at.js'),
    ]);
    const { version } = await readPjson(packageRoot);
    return openCassette({ clock, log, version }, session, start);
  };
}

/** What tells others of a process that serves or works. */
async function openHooks(deps: Omit<FleetHooksDeps, 'version'>, { plugins }: AppParts): Promise<ProcessHooks> {
  const [{ createFleetHooks }, { readPjson }] = await Promise.all([
    import('../app/fleet/fleet-hooks.js'),
    import('./discovery/load-at.js'),
  ]);
  return createFleetHooks({ ...deps, version: async () => (await readPjson(plugins.packageRoot)).version });
}

/**
 * Where runs of this process are exported to: as the environment says, else as `events` of the
 * workspace does; null = nowhere.
 */
async function openTelemetry(
  { workspace, plugins, credentials }: BootSession,
  env: NodeJS.ProcessEnv,
): Promise<EventSink | null> {
  const exporter = env.KIT_OTEL_EXPORTER || null;
  if (exporter === null && workspace.sinks.length === 0) return null;
  const [{ telemetrySettings }, { renderConfig }] = await Promise.all([
    import('../app/events/sinks/telemetry.js'),
    import('./render-config.js'),
  ]);
  const settings = telemetrySettings(workspace.sinks, exporter);
  return settings === null
    ? null
    : plugins.resolve('eventSinks', settings.sink, await renderConfig(credentials, settings.config));
}

/**
 * The role files as they stand now; nothing else of the workspace is read. Throws
 * KIT_WORKSPACE_INVALID.
 */
async function readRoles(workspace: string, env: NodeJS.ProcessEnv): Promise<RoleDirectory> {
  const [{ readRoleFiles }, { nodeFiles }] = await Promise.all([
    import('../app/review/read-roles.js'),
    import('../system/files.js'),
  ]);
  return readRoleFiles(workspace, { files: nodeFiles, environment: env });
}
