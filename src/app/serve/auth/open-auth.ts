import type { PluginHost } from '../../../domain/extension-points.js';
import type { AuthProvider } from '../../../domain/ports/http.js';
import type { Log } from '../../../domain/ports/system.js';
import type { Workspace } from '../../../domain/workspace.js';
import { guardAuth } from './guard-auth.js';
import { type AuthPlan, planAuth } from './plan-auth.js';

/** What opening needs: the plugin host and the credential service of the workspace. */
export interface OpenAuthDeps {
  readonly host: Pick<PluginHost, 'list' | 'resolve'>;
  readonly credentials: {
    reference(text: string): Promise<string>;
    render(text: string, allowedRefs?: readonly string[] | null): Promise<string>;
  };
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Authentication of one server, read once at its start: a reload does not change it
 * (docs/design/decisions.md#auth-once).
 */
export interface OpenedAuth {
  /** Name of the provider. */
  readonly name: string;
  /**
   * Asked for every request of a route that is not public. A refusal is a 401 with
   * `WWW-Authenticate: Bearer`; throws KIT_NOT_READY (503) when it cannot tell, because the keys of
   * the issuer are not to be had.
   */
  readonly provider: AuthProvider;
  /** For the log of the start, a line each. */
  readonly warnings: readonly string[];
}

type Served = Pick<Workspace, 'server' | 'identity' | 'humanScopes'>;

/**
 * What `server.auth` comes to, with its references resolved; no plugin is loaded. Throws
 * KIT_AUTH_INVALID with every problem.
 */
export const planServerAuth = (
  workspace: Served,
  { host, credentials }: Pick<OpenAuthDeps, 'credentials'> & { readonly host: Pick<PluginHost, 'list'> },
): Promise<AuthPlan> =>
  planAuth(workspace, {
    known: host.list('authProviders').map(({ name }) => name),
    secret: (reference) => credentials.reference(reference),
    // A credential of another service has no place in these settings.
    render: (text) => credentials.render(text, []),
  });

/**
 * Throws KIT_AUTH_INVALID with every problem, KIT_PLUGIN_* for a provider that cannot be loaded.
 */
export async function openAuth(workspace: Served, deps: OpenAuthDeps): Promise<OpenedAuth> {
  const { host, log } = deps;
  const plan = await planServerAuth(workspace, deps);
  const made = await host.resolve('authProviders', plan.name, plan.config);
  const provider = guardAuth(made, { name: plan.name, humanScopes: workspace.humanScopes, log });
  return { name: plan.name, provider, warnings: [...plan.warnings, ...made.warnings] };
}
