import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ObserveDeps } from '../app/observe/create-observe-app.js';
import type { RunSession } from '../app/runs/create-runs-app.js';
import type { RunsApp } from '../app/runs/runs-app.js';
import type { WorkspaceReport } from '../app/workspace-report.js';
import { KitError } from '../domain/errors.js';
import { NO_FAULTS } from '../domain/faults.js';
import type { Stores } from '../domain/ports/stores.js';
import type { AppParts } from './app.js';
import type { Plugins } from './app-plugins.js';
import type { SessionParts } from './open-session.js';

/** A worker that stops renewing is taken over after this long (http-and-cli.md, worker). */
const LEASE_MS = 60_000;

/** Runs and workspaces of this process: what is opened once, and closed with the app. */
export interface Runs {
  readonly app: RunsApp;
  /** The same stores, clock and host for those who only look. */
  readonly observe: () => Promise<ObserveDeps>;
  readonly validate: (directory: string) => Promise<WorkspaceReport>;
  readonly close: () => Promise<void>;
}

/** Wires the use cases around runs; every part is imported when it is first used. */
export function createRuns(parts: AppParts, plugins: Plugins): Runs {
  const opened = new Map<string, Promise<Stores>>();
  let built: ReturnType<typeof buildRuns> | undefined;
  const build = () => (built ??= buildRuns(parts, { plugins, opened }));
  const app = async (): Promise<RunsApp> => (await build()).app;
  return {
    app: {
      plan: async (start) => (await app()).plan(start),
      start: async (start) => (await app()).start(start),
      resume: async (resume) => (await app()).resume(resume),
      stop: async (stop) => (await app()).stop(stop),
      checkpoints: async (list) => (await app()).checkpoints(list),
      introduce: async (start) => (await app()).introduce(start),
      approveAdapter: async (approve) => (await app()).approveAdapter(approve),
    },
    observe: async () => (await build()).observe,
    validate: async (directory) => {
      const [{ validateWorkspace }, { workspaceDeps }] = await Promise.all([import('../app/validate-workspace.js'), import('./open-session.js')]);
      return validateWorkspace(directory, await workspaceDeps({ env: parts.env, host: plugins.host }));
    },
    close: async () => {
      // A store that could not be opened was refused where it was asked for; there is nothing of it to close.
      for (const opening of opened.values()) await (await opening.catch(() => null))?.close();
    },
  };
}

async function buildRuns(parts: AppParts, from: { readonly plugins: Plugins; readonly opened: Map<string, Promise<Stores>> }) {
  const [{ createClock }, { createIds }, { createLog }, { processStartOf, readWorkerHost }, { createRunsApp }, { createTextFeed }] =
    await Promise.all([
      import('../system/clock.js'),
      import('../system/ids.js'),
      import('../system/log.js'),
      import('../system/worker-host.js'),
      import('../app/runs/create-runs-app.js'),
      import('../app/runs/text-feed.js'),
    ]);
  const clock = createClock();
  const host = readWorkerHost();
  const ids = createIds(host);
  const log = createLog({ clock, level: parts.settings.verbose ? 'info' : 'warn', write: parts.logLines.write });
  const texts = createTextFeed();
  const openStores = (stateDir: string): Promise<Stores> => {
    const key = resolve(stateDir);
    const known = from.opened.get(key);
    if (known !== undefined) return known;
    const opening = import('../store/sqlite/open-sqlite-stores.js').then(({ openSqliteStores }) =>
      openSqliteStores({ stateDir: key, clock, ids, faults: NO_FAULTS, log, processStartOf }),
    );
    from.opened.set(key, opening);
    return opening;
  };
  const shared: SessionParts = { env: parts.env, clock, ids, log, host: from.plugins.host, openHost: from.plugins.openHost, openStores, texts };
  const openWorkspaceStores = (workspace: string) => openExisting(parts, { workspace, openStores });
  const sessions = new Map<string, Promise<RunSession>>();
  const app = createRunsApp({
    clock,
    ids,
    log,
    host,
    leaseMs: LEASE_MS,
    texts,
    defer: (fn) => void setImmediate(fn),
    openSession: (workspace) => {
      const known = sessions.get(workspace) ?? import('./open-session.js').then(({ openSession }) => openSession(shared, workspace));
      sessions.set(workspace, known);
      return known;
    },
    openCassette: async (session, start) => {
      const [{ openCassette }, { readPjson }] = await Promise.all([import('./cassette/open-cassette.js'), import('./discovery/load-at.js')]);
      const { version } = await readPjson(parts.plugins.packageRoot);
      return openCassette({ clock, log, version }, session, start);
    },
    openStores: openWorkspaceStores,
  });
  return { app, shared, observe: { clock, host, openStores: openWorkspaceStores } };
}

/** Stop and checkpoints read the store alone: they work while the YAML is broken. Throws KIT_WORKSPACE_NOT_FOUND. */
async function openExisting(
  parts: AppParts,
  from: { readonly workspace: string; readonly openStores: (stateDir: string) => Promise<Stores> },
): Promise<Stores | null> {
  const { stateDirOf } = await import('./open-session.js');
  const { workspace } = from;
  const hasWorkspace = ['workspace.yaml', 'workspace.yml', 'workspace.json'].some((name) => existsSync(join(workspace, name)));
  if (!hasWorkspace) throw new KitError('KIT_WORKSPACE_NOT_FOUND', `${workspace} holds no workspace.yaml`);
  const stateDir = stateDirOf(workspace, parts.env);
  return existsSync(join(stateDir, 'store.sqlite')) ? from.openStores(stateDir) : null;
}
