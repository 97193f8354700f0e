import type { PluginHost, Secrets } from '../domain/extension-points.js';
import type { Files, Log } from '../domain/ports/system.js';
import type { CredentialEntry } from '../domain/workspace.js';
import type { CredentialService } from '../host/secrets.js';
import type { VaultParts } from '../host/vault.js';
import { lazyVault } from './open-vault.js';
import type { Outbound, WorkspaceSide } from './parts.js';

/** What a plugin host of one workspace is made of. */
export interface WorkspaceHostParts {
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly files: Pick<Files, 'readText'>;
  readonly openHost: (side?: WorkspaceSide) => Promise<PluginHost>;
  /** Where logins are kept; throws where nothing is kept. */
  readonly vault: () => VaultParts;
  readonly outbound: Pick<Outbound, 'fetchOf'>;
  readonly workspace: {
    readonly root: string;
    readonly credentials: ReadonlyMap<string, CredentialEntry>;
    readonly lookup: (name: string) => string | undefined;
    /** Secrets that its artifacts were written with (`writtenSecrets`); absent = none is known. */
    readonly secrets?: readonly string[];
  };
}

/**
 * A plugin host whose contributions may ask for the credentials of one workspace, and the service
 * that answers them.
 */
export async function openWorkspaceHost(
  parts: WorkspaceHostParts,
): Promise<{ readonly host: PluginHost; readonly credentials: CredentialService }> {
  const { env, log, files, workspace } = parts;
  const { createCredentialService } = await import('../host/secrets.js');
  let opened: PluginHost | undefined;
  const hostOf = (): PluginHost => {
    if (opened === undefined) throw new Error('the plugin host is not open');
    return opened;
  };
  const credentials = createCredentialService({
    env,
    lookup: workspace.lookup,
    files,
    workspaceRoot: workspace.root,
    entry: (ref) => workspace.credentials.get(ref) ?? null,
    plugins: hostOf,
    log,
    ...(workspace.secrets === undefined ? {} : { known: workspace.secrets }),
  });
  const host = await parts.openHost({
    secretsFor: (info, ...names): Secrets => credentials.secretsFor(info, ...names),
    vaultOf: (plugin) => lazyVault(parts.vault, plugin),
    outbound: parts.outbound.fetchOf(workspace.root),
  });
  opened = host;
  return { host, credentials };
}
