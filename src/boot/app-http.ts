import type { App } from '../app/app.js';
import { createMetricsApp } from '../app/serve/create-metrics-app.js';
import type { HttpApp } from '../app/serve/http-app.js';
import type { MetricsApp } from '../app/serve/metrics-app.js';
import type { ServeApp } from '../app/serve/serve-app.js';
import type { TriggerReport } from '../app/triggers/triggers-app.js';
import type { AppParts } from './app.js';
import type { Plugins } from './app-plugins.js';
import type { Runs } from './app-runs.js';

interface HttpParts extends AppParts {
  readonly runs: Runs;
  readonly host: Plugins['host'];
  /** Every use case; asked when a group is mounted. */
  readonly app: () => App;
}

/** The log of a server says what it does; that of a command only what went wrong. */
async function openLog({ logLines, settings }: AppParts) {
  const [{ createLog }, { createClock }] = await Promise.all([import('../system/log.js'), import('../system/clock.js')]);
  return createLog({ clock: createClock(), level: settings.verbose ? 'debug' : settings.quiet ? 'warn' : 'info', write: logLines.write });
}

const inactive = ({ id, enabled, active, reason }: TriggerReport): readonly string[] =>
  enabled && !active ? [`the trigger ${id} is inactive: ${reason}`] : [];

/** Wires the use cases around the HTTP server; every part is imported when it is first used. */
export function createHttp(parts: HttpParts): HttpApp {
  let built: Promise<HttpApp> | undefined;
  const http = (): Promise<HttpApp> => (built ??= build(parts));
  return {
    prepare: async (options) => (await http()).prepare(options),
    mounts: async (workspace) => (await http()).mounts(workspace),
    auth: async (workspace) => (await http()).auth(workspace),
    facts: async (workspace) => (await http()).facts(workspace),
    recordAccess: async (workspace, entries) => (await http()).recordAccess(workspace, entries),
    log: async () => (await http()).log(),
  };
}

async function build(parts: HttpParts): Promise<HttpApp> {
  const [{ createHttpApp }, { openAuth }, { readRoleFiles }, { nodeFiles }, log] = await Promise.all([
    import('../app/serve/create-http-app.js'),
    import('../app/serve/auth/open-auth.js'),
    import('../app/review/read-roles.js'),
    import('../system/files.js'),
    openLog(parts),
  ]);
  const { runs, env } = parts;
  return createHttpApp({
    log,
    app: parts.app,
    openHost: async (workspace) => (await runs.session(workspace)).plugins,
    openAuth: async (workspace) => {
      const { workspace: compiled, plugins, credentials } = await runs.session(workspace);
      return openAuth(compiled, { host: plugins, credentials, log });
    },
    openStores: async (workspace) => (await runs.session(workspace)).openStores(),
    workspace: async (workspace) => (await runs.session(workspace)).workspace,
    roles: (workspace) => readRoleFiles(workspace, { files: nodeFiles, environment: env }),
    plugins: async () => (await parts.host()).report(),
    hasOauthKey: Boolean(env.KIT_OAUTH_KEY),
    notes: [async (workspace) => (await parts.app().triggers.list({ workspace })).flatMap(inactive)],
  });
}

/** Wires the numbers of `/metrics`: what the store counts, and the slots of this server. */
export function createMetrics(parts: AppParts & { readonly runs: Runs; readonly serve: () => Pick<ServeApp, 'load'> }): MetricsApp {
  const sources = () => import('../app/serve/serving-metrics.js');
  const openStores = async (workspace: string) => (await parts.runs.observe()).openStores(workspace);
  return createMetricsApp(
    [
      { name: 'store', source: async (workspace) => (await sources()).storeMetrics(openStores)(workspace) },
      { name: 'slots', source: async (workspace) => (await sources()).slotMetrics(parts.serve())(workspace) },
    ],
    (source, error) => void openLog(parts).then((log) => log.warn('a source of metrics failed', { source, error })),
  );
}
