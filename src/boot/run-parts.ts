import type { SessionWork, SessionWorkDeps } from '../app/runs/session-work.js';
import type { TextFeed } from '../app/runs/text-feed.js';
import type { ShowUpgrade } from '../store/migrations.js';
import type { StoreOpener } from './open-stores.js';
import type {
  AppParts,
  BootSession,
  Outbound,
  Plugins,
  SessionParts,
  SharedServers,
  WorkspaceStores,
} from './parts.js';

/** What a process that runs has once; each use case around runs picks the members it names. */
export interface RunParts extends SessionWorkDeps {
  readonly env: NodeJS.ProcessEnv;
  /** Directory of the running kit. */
  readonly packageRoot: string;
  readonly texts: TextFeed;
  /** Closed with the app. */
  readonly stores: StoreOpener;
  readonly workspaceStores: WorkspaceStores;
  readonly sessions: Sessions;
  readonly sharedServers: SharedServers;
  /** What this process could claim. */
  readonly work: SessionWork;
  /** Takes the secrets that a workspace knows out of a text. */
  readonly maskOf: (workspace: string) => Promise<(text: string) => string>;
}

/** The sessions of this process, by workspace. */
export interface Sessions {
  /** Opened once. */
  of(workspace: string): Promise<BootSession>;
  /** Undefined: nothing asked for it yet. */
  known(workspace: string): Promise<BootSession> | undefined;
  /** Reads the files again, beside the session that is shared. */
  openAnew(workspace: string): Promise<BootSession>;
  /** Everything that asks for the session of the workspace gets this one from now on. */
  share(workspace: string, session: BootSession): void;
}

export async function openRunParts(parts: AppParts, plugins: Plugins, outbound: Outbound): Promise<RunParts> {
  const [
    { createClock },
    { createIds },
    { createLog },
    { processStartOf, readWorkerHost },
    { createSessionWork },
    { createTextFeed },
    { createStoreOpener },
    { createWorkspaceStores },
  ] = await Promise.all([
    import('../system/clock.js'),
    import('../system/ids.js'),
    import('../system/log.js'),
    import('../system/worker-host.js'),
    import('../app/runs/session-work.js'),
    import('../app/runs/text-feed.js'),
    import('./open-stores.js'),
    import('./workspace-stores.js'),
  ]);
  const { env, scratch, settings, logLines } = parts;
  const clock = createClock();
  const host = readWorkerHost();
  const ids = createIds(host);
  const log = createLog({ clock, level: settings.verbose ? 'info' : 'warn', write: logLines.write });
  const texts = createTextFeed();
  const sharedServers: SharedServers = { isOn: false, open: new Set() };
  const showUpgrade: ShowUpgrade = async (upgrade) =>
    (await import('./show-upgrade.js')).showUpgrade({ ...parts, isServer: sharedServers.isOn }, upgrade);
  const stores = createStoreOpener({ env, clock, ids, log, processStartOf, scratch, showUpgrade });
  const session: SessionParts = {
    ...{ env, clock, ids, log, texts, outbound, sharedServers },
    limiters: new Map(),
    host: plugins.host,
    openHost: plugins.openHost,
    openStores: stores.open,
    openExisting: stores.openExisting,
  };
  const sessions = createSessions(session);
  const claims: SessionWorkDeps = { clock, ids, log, host, defer: (fn) => void setImmediate(fn) };
  return {
    ...claims,
    ...{ env, texts, stores, sessions, sharedServers },
    packageRoot: parts.plugins.packageRoot,
    workspaceStores: createWorkspaceStores(session, stores),
    work: createSessionWork(claims),
    maskOf: async (workspace) => {
      const { alsoResolved, maskOfWorkspace } = await import('./known-secrets.js');
      return alsoResolved(await maskOfWorkspace(workspace, { env, log }), sessions.known(workspace));
    },
  };
}

function createSessions(parts: SessionParts): Sessions {
  const opened = new Map<string, Promise<BootSession>>();
  const openAnew = async (workspace: string): Promise<BootSession> =>
    (await import('./open-session.js')).openSession(parts, workspace);
  return {
    of: (workspace) => {
      const session = opened.get(workspace) ?? openAnew(workspace);
      opened.set(workspace, session);
      return session;
    },
    known: (workspace) => opened.get(workspace),
    openAnew,
    share: (workspace, session) => {
      opened.set(workspace, Promise.resolve(session));
    },
  };
}
