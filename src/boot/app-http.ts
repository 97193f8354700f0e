import type { App } from '../app/app.js';
import type { HttpApp } from '../app/serve/http-app.js';
import type { TriggerReport } from '../app/triggers/triggers-app.js';
import { oauthKeyState } from '../domain/oauth-key.js';
import { boundHeap, giveBack, holdStart } from '../system/young-generation.js';
import type { AppParts, Outbound, Plugins, Runs } from './parts.js';
import { openServerLog } from './server-log.js';

interface HttpParts extends AppParts {
  readonly runs: Runs;
  readonly outbound: Outbound;
  readonly host: Plugins['host'];
  /** Every use case; asked when a group is mounted. */
  readonly app: () => App;
}

const inactive = ({ id, enabled, active, reason }: TriggerReport): readonly string[] =>
  enabled && !active ? [`the trigger ${id} is inactive: ${reason}`] : [];

/** Wires the use cases around the HTTP server. */
export async function openHttp(parts: HttpParts): Promise<HttpApp> {
  const [{ createHttpApp }, { openAuth }, { muteSinks }, { readRoleFiles }, { nodeFiles }, log] = await Promise.all([
    import('../app/serve/create-http-app.js'),
    import('../app/serve/auth/open-auth.js'),
    import('../app/serve/mute-sinks.js'),
    import('../app/review/read-roles.js'),
    import('../system/files.js'),
    openServerLog(parts),
  ]);
  const { runs, env } = parts;
  const oauthKey = oauthKeyState(env.KIT_OAUTH_KEY);
  const http = createHttpApp({
    log,
    app: parts.app,
    openHost: async (workspace) => {
      const { keepPlugins, plugins } = await runs.session(workspace);
      keepPlugins();
      return plugins;
    },
    openAuth: async (workspace) => {
      const { workspace: compiled, keepPlugins, plugins, credentials } = await runs.session(workspace);
      keepPlugins();
      return openAuth(compiled, { host: plugins, credentials, log });
    },
    openStores: async (workspace) => (await runs.session(workspace)).openStores(),
    workspace: async (workspace) => (await runs.session(workspace)).workspace,
    roles: (workspace) => readRoleFiles(workspace, { files: nodeFiles, environment: env }),
    plugins: async () => (await parts.host()).report(),
    assertShared: async (directory) => {
      const { assertSharedStorage } = await import('../app/storage/assert-shared-storage.js');
      const { workspace, storageEnvironment } = await runs.session(directory);
      const notice = assertSharedStorage(workspace.storage, storageEnvironment, 'api');
      if (notice !== null) log.info(`storage of the runs: ${notice}`);
    },
    oauthKey,
    notes: [
      async (workspace) => (await parts.app().triggers.list({ workspace })).flatMap(inactive),
      async (workspace) =>
        muteSinks((await runs.session(workspace)).workspace, (name) => (env[name] ?? '').trim() !== ''),
      async (workspace) => {
        const { reachability, diagnostics } = await parts.app().validateWorkspace(workspace);
        const notYet = diagnostics.filter(({ code }) => code === 'key.not-yet');
        return [...reachability.unreachable, ...notYet].map(({ message }) => message);
      },
    ],
  });
  const lighter = lightly(http);
  return {
    ...http,
    ...lighter,
    prepare: async (options) => {
      // From here on this is a server, also to whoever opens the store first.
      await runs.serve();
      const [{ assertVaultKey }, { workspace, storageEnvironment }] = await Promise.all([
        import('../app/storage/assert-vault-key.js'),
        runs.session(options.workspace),
      ]);
      assertVaultKey(workspace, { environment: storageEnvironment, key: oauthKey });
      const prepared = await lighter.prepare(options);
      parts.outbound.servesAt(prepared.host);
      return prepared;
    },
  };
}

/** So long a server does next to nothing before it counts as idle. */
const SETTLED_MS = 1_000;
const IDLE_SHARE = 0.1;

/** Once nobody asks it anything: whoever waits for an answer does not wait for that. */
function giveBackOnceIdle(): void {
  const before = performance.eventLoopUtilization();
  setTimeout(() => {
    if (performance.eventLoopUtilization(before).utilization < IDLE_SHARE) giveBack();
    else giveBackOnceIdle();
  }, SETTLED_MS).unref();
}

/**
 * From its first judgement until a server has told its first facts, V8 does not enlarge the young
 * part of its heap and optimizes nothing, and once it is idle it gives back what the start took:
 * what a start loads and compiles would else stay with it (docs/performance.md#heap).
 */
function lightly(http: HttpApp): Pick<HttpApp, 'prepare' | 'facts'> {
  let release: (() => void) | null = null;
  const letGo = (): void => {
    release?.();
    release = null;
  };
  return {
    prepare: (options) => {
      boundHeap('server');
      release ??= holdStart();
      return http.prepare(options).catch((error: unknown) => {
        letGo();
        throw error;
      });
    },
    facts: (workspace) =>
      http.facts(workspace).finally(() => {
        if (release !== null) giveBackOnceIdle();
        letGo();
      }),
  };
}
