import type { ArtifactPlace } from '../app/storage/resolve-storage.js';
import type { PluginHost } from '../domain/extension-points.js';
import type { ArtifactBytes } from '../domain/ports/artifacts.js';
import type { CredentialService } from '../host/secrets.js';

/** Opens what `storage.artifacts` names when the first artifact is put or read; undefined where that is the database of the runs. */
export function artifactBytesOpener(
  place: ArtifactPlace,
  open: () => Promise<{ readonly host: PluginHost; readonly credentials: CredentialService }>,
): (() => Promise<ArtifactBytes>) | undefined {
  if (place.kind === 'database') return undefined;
  return async () => {
    const [{ host, credentials }, { renderConfig }] = await Promise.all([open(), import('./render-config.js')]);
    // The host keeps one instance for each configuration.
    return host.resolve('artifactStores', place.plugin, await renderConfig(credentials, place.config));
  };
}
