import { resolve } from 'node:path';
import type { ArtifactPlace } from '../app/storage/resolve-storage.js';
import type { PluginHost } from '../domain/extension-points.js';
import type { JsonObject } from '../domain/json.js';
import type { ArtifactBytes } from '../domain/ports/artifacts.js';
import type { CredentialService } from '../host/secrets.js';
import { renderConfig } from './render-config.js';

/** What opens the store of a workspace. */
export interface ArtifactHost {
  readonly host: PluginHost;
  readonly credentials: CredentialService;
  /** Absolute directory of the workspace. */
  readonly root: string;
  readonly stateDir: string;
}

/** A plugin knows nothing of workspaces: it gets the directory as an absolute one. */
const filesIn = (config: JsonObject, { root, stateDir }: Pick<ArtifactHost, 'root' | 'stateDir'>): JsonObject => ({
  ...config,
  path: typeof config.path === 'string' ? resolve(root, config.path) : resolve(stateDir, 'artifacts'),
});

/**
 * What `storage.artifacts` names, where that is a plugin. Throws KIT_PLUGIN_*,
 * KIT_CREDENTIAL_UNRESOLVED.
 */
export async function openArtifactBytes(
  place: Extract<ArtifactPlace, { readonly kind: 'plugin' }>,
  { host, credentials, root, stateDir }: ArtifactHost,
): Promise<ArtifactBytes> {
  const config = await renderConfig(credentials, place.config);
  // The host keeps one instance for each configuration.
  return host.resolve(
    'artifactStores',
    place.plugin,
    place.plugin === 'filesystem' ? filesIn(config, { root, stateDir }) : config,
  );
}
