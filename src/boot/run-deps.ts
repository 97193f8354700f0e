import type { ReviewDeps } from '../app/review/deps.js';
import type { RunsDeps } from '../app/runs/create-runs-app.js';
import type { RunsApp } from '../app/runs/runs-app.js';
import type { SessionWorkDeps } from '../app/runs/session-work.js';
import type { ServeDeps } from '../app/serve/create-serve-app.js';
import type { WorkerDeps } from '../app/work/create-worker-app.js';
import type { ProcessHooks } from '../app/work/working-process.js';
import { osUser } from '../cli/os-user.js';
import type { RoleDirectory } from '../domain/gates.js';
import { oauthKeyState } from '../domain/oauth-key.js';
import type { EventSink } from '../domain/ports/sinks.js';
import type { BootSession, EventsParts, StoreReadDeps, WorkspaceStores } from './parts.js';
import type { RunParts } from './run-parts.js';

/** What whoever claims a run has. */
const claimDeps = ({ clock, ids, log, host, defer }: RunParts): SessionWorkDeps => ({ clock, ids, log, host, defer });

/** `kit run` and what else begins, resumes and stops runs. */
export async function openRunsApp(parts: RunParts): Promise<RunsApp> {
  const { createRunsApp } = await import('../app/runs/create-runs-app.js');
  const { env, texts, sessions, workspaceStores } = parts;
  return createRunsApp({
    ...claimDeps(parts),
    osUser: osUser(),
    texts,
    openSession: sessions.of,
    openCassette: cassettes(parts),
    openStores: workspaceStores.openStores,
    openFleet: workspaceStores.openFleet,
    openTelemetry: async (workspace) => openTelemetry(await sessions.of(workspace), env),
  });
}

/** What only looks. */
export function readDeps(parts: RunParts): StoreReadDeps & Pick<WorkspaceStores, 'openMemory'> {
  const { clock, ids, host, workspaceStores, sessions, work, maskOf } = parts;
  return {
    ...{ clock, ids, host, maskOf },
    ...workspaceStores,
    offers: async (workspace, needs) => work.metOffers(await sessions.of(workspace), needs),
  };
}

/** What decides. */
export function reviewDeps(parts: RunParts): ReviewDeps {
  const { clock, ids, host, env, workspaceStores, sessions, maskOf } = parts;
  return {
    ...{ clock, ids, host, maskOf },
    openStores: workspaceStores.openStores,
    offers: readDeps(parts).offers,
    readRoles: (workspace) => readRoles(workspace, env),
    loadWorkspace: async (workspace) => (await sessions.of(workspace)).workspace,
    signer: async () => (await import('./signing-key.js')).openSigner(env).sign,
  };
}

/** What serves. */
export function serveDeps(parts: RunParts): ServeDeps<BootSession> {
  const { of, openAnew, share } = parts.sessions;
  return { ...claimDeps(parts), openSession: of, openAnew, shareSession: share, random: Math.random };
}

/** What works. */
export async function workerDeps(parts: RunParts): Promise<WorkerDeps<BootSession>> {
  const [{ assertSharedStorage }, { assertVaultKey }] = await Promise.all([
    import('../app/storage/assert-shared-storage.js'),
    import('../app/storage/assert-vault-key.js'),
  ]);
  const key = oauthKeyState(parts.env.KIT_OAUTH_KEY);
  return {
    ...claimDeps(parts),
    openSession: parts.sessions.of,
    assertShared: ({ workspace, storageEnvironment }) => {
      const notice = assertSharedStorage(workspace.storage, storageEnvironment, 'worker');
      assertVaultKey(workspace, { environment: storageEnvironment, key });
      return notice;
    },
  };
}

/** What reads the log and feeds its sinks. */
export function eventsParts(parts: RunParts): EventsParts {
  const { clock, ids, log, env, workspaceStores, sessions, maskOf } = parts;
  return {
    ...{ clock, ids, log, maskOf },
    exporter: env.KIT_OTEL_EXPORTER || null,
    openStores: workspaceStores.openStores,
    readRoles: (workspace) => readRoles(workspace, env),
    sessionOf: sessions.of,
  };
}

/** Reports to others a process that serves or works. */
export async function openHooks({ clock, log, host, packageRoot, workspaceStores }: RunParts): Promise<ProcessHooks> {
  const [{ createFleetHooks }, { readPjson }] = await Promise.all([
    import('../app/fleet/fleet-hooks.js'),
    import('./discovery/load-at.js'),
  ]);
  const version = async () => (await readPjson(packageRoot)).version;
  return createFleetHooks({ clock, log, host, openFleet: workspaceStores.openFleet, version });
}

/** Loaded with the first run that records or replays. */
function cassettes({ packageRoot, clock, log }: RunParts): RunsDeps['openCassette'] {
  return async (session, start) => {
    const [{ openCassette }, { readPjson }] = await Promise.all([
      import('../cassette/open-cassette.js'),
      import('./discovery/load-at.js'),
    ]);
    const { version } = await readPjson(packageRoot);
    return openCassette({ clock, log, version }, session, start);
  };
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
