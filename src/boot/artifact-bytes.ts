import type { ArtifactPlace } from '../app/storage/resolve-storage.js';
import type { PluginHost } from '../domain/extension-points.js';
import type { ArtifactBytes } from '../domain/ports/artifacts.js';
import type { CredentialService } from '../host/secrets.js';
import { renderConfig } from './render-config.js';

/** What `storage.artifacts` names, where that is a plugin. Throws KIT_PLUGIN_*, KIT_CREDENTIAL_UNRESOLVED. */
export async function openArtifactBytes(
  place: Extract<ArtifactPlace, { readonly kind: 'plugin' }>,
  { host, credentials }: { readonly host: PluginHost; readonly credentials: CredentialService },
): Promise<ArtifactBytes> {
  // The host keeps one instance for each configuration.
  return host.resolve('artifactStores', place.plugin, await renderConfig(credentials, place.config));
}
