import type { App } from '../app/app.js';
import type { InfoApp } from '../app/info/info-app.js';
import type { InfoDeps } from '../app/info/system-status.js';
import type { JsonObject } from '../domain/json.js';
import type { AppParts, Plugins, Runs } from './parts.js';
import { stateDirOf } from './state-dir.js';

/** Parts that these use cases share with others; other use cases are asked through the app. */
export interface InfoParts extends AppParts {
  readonly managed: Plugins;
  readonly runs: Runs;
  readonly app: () => Pick<App, 'http' | 'observe' | 'providers'>;
  /** Of the server that this process is; null = it serves nothing. */
  readonly role: InfoDeps['role'];
}

/** Wires what a workspace and its kit are. */
export async function openInfo(parts: InfoParts): Promise<InfoApp> {
  const [{ createInfoApp }, { nodeFiles }, { join }] = await Promise.all([
    import('../app/info/create-info-app.js'),
    import('../system/files.js'),
    import('node:path'),
  ]);
  const { env, runs, app } = parts;
  const { packageRoot } = parts.plugins;
  const deps: InfoDeps = {
    files: nodeFiles,
    environment: env,
    role: parts.role,
    stateDirOf: (workspace) => stateDirOf(workspace, env),
    plugins: parts.managed.host,
    versions: async () => {
      const { readPjson } = await import('./discovery/load-at.js');
      return { kit: (await readPjson(packageRoot)).version, node: process.versions.node };
    },
    maskOf: async (workspace) => (await runs.review()).maskOf(workspace),
    validate: runs.validate,
    loadWorkspace: async (workspace) => (await runs.review()).loadWorkspace(workspace),
    providerIds: async (workspace) => (await app().providers.list(workspace)).providers.map(({ id }) => id),
    authInfo: async (workspace) => (await app().http.auth(workspace)).info(),
    signIn: async (workspace) => (await app().http.auth(workspace)).signIn ?? null,
    openStores: async (workspace) => (await runs.observe()).openStores(workspace),
    trace: (ask) => app().observe.trace(ask),
    now: async () => (await runs.observe()).clock.now(),
    readSchema: async (file) => {
      const text = await nodeFiles.readText(join(packageRoot, 'schemas', 'kinds', file));
      return text === null ? null : (JSON.parse(text) as JsonObject); // kit's own file
    },
  };
  return createInfoApp(deps);
}
