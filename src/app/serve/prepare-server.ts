import type { PluginReport } from '../../domain/extension-points.js';
import type { RoleDirectory } from '../../domain/gates.js';
import type { OauthKeyState } from '../../domain/oauth-key.js';
import type { Workspace } from '../../domain/workspace.js';
import { DEFAULT_HOST, DEFAULT_PORT } from '../../view/base-url.js';
import type { OpenedAuth } from './auth/open-auth.js';
import { assertMayStart, listenAddress, pageRules, startFacts, startWarnings } from './auth/start-facts.js';
import type { PreparedServer, ServerOptions } from './http-app.js';

/** What the rules of the start look at, beside the command line. */
export interface PrepareServerDeps {
  readonly workspace: (directory: string) => Promise<Workspace>;
  readonly auth: (directory: string) => Promise<OpenedAuth>;
  readonly roles: (directory: string) => Promise<RoleDirectory>;
  readonly plugins: () => Promise<readonly PluginReport[]>;
  /**
   * The role `api` alone: refuses a store that workers elsewhere cannot reach. Throws
   * KIT_SERVE_REFUSED, KIT_STORE_UNAVAILABLE.
   */
  readonly assertShared: (directory: string) => Promise<void>;
  /** What KIT_OAUTH_KEY holds. */
  readonly oauthKey: OauthKeyState;
}

/** Precedence of an address: flag, workspace, default. */
export async function prepareServer(options: ServerOptions, deps: PrepareServerDeps): Promise<PreparedServer> {
  const { workspace: directory, profile, insecure, corsOrigins } = options;
  const workspace = await deps.workspace(directory);
  const { server } = workspace;
  if (options.role === 'api') await deps.assertShared(directory);
  const [auth, roles, plugins] = await Promise.all([deps.auth(directory), deps.roles(directory), deps.plugins()]);
  const host = options.host ?? server.host ?? DEFAULT_HOST;
  const facts = startFacts(workspace, {
    settings: { host, insecure, profile, corsOrigins, oauthKey: deps.oauthKey },
    roles,
    identities: auth.provider.identities,
    plugins,
  });
  assertMayStart(facts);
  return {
    host: listenAddress(host),
    port: options.port ?? server.port ?? DEFAULT_PORT,
    auth: auth.provider,
    corsOrigins,
    pages: pageRules({ ...server, host }),
    role: options.role,
    maxQueued: options.maxQueued,
    shutdownMs: server.jobs.shutdownMs,
    warnings: [...auth.warnings, ...startWarnings(facts)],
  };
}
