import { artifactPlace, auditSite, memorySite } from '../app/storage/own-site.js';
import { journalSite, resolveStorage } from '../app/storage/resolve-storage.js';
import { type StorageEnvironment, storageEnvironment } from '../app/storage/storage-environment.js';
import type { PluginHost } from '../domain/extension-points.js';
import type { Log } from '../domain/ports/system.js';
import type { StorageSettings } from '../domain/storage-settings.js';
import type { Workspace } from '../domain/workspace.js';
import type { CredentialService } from '../host/secrets.js';
import type { StorePlace } from './open-stores.js';

/**
 * Where the runs of a workspace are kept, where their log is copied to, and where memory and bytes
 * of artifacts lie if not with them. Throws KIT_STORE_UNAVAILABLE for settings that name no
 * database.
 */
export async function storageOf(
  settings: StorageSettings,
  from: {
    readonly env: NodeJS.ProcessEnv;
    readonly resolve: StorageEnvironment['resolve'];
    readonly warn?: (text: string) => void;
  },
): Promise<Pick<StorePlace, 'storage' | 'audit' | 'memory' | 'artifacts'>> {
  const environment = storageEnvironment(from.env, from.resolve);
  const { warning } = journalSite(settings, environment);
  if (warning !== null) from.warn?.(warning);
  return {
    storage: resolveStorage(settings, environment),
    audit: auditSite(settings, environment).own,
    memory: memorySite(settings, environment).own,
    artifacts: artifactPlace(settings, environment),
  };
}

interface PlaceParts {
  readonly workspace: Workspace;
  readonly host: PluginHost;
  readonly credentials: CredentialService;
  readonly stateDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Pick<Log, 'warn'>;
  readonly resolve: StorageEnvironment['resolve'];
}

/** The place of the runs of an opened workspace; what is wrong with it is warned of once. */
export function lazyRunsPlace(parts: PlaceParts): () => Promise<StorePlace> {
  const { workspace, host, credentials, stateDir, env, log, resolve } = parts;
  let place: ReturnType<typeof storageOf> | undefined;
  return async () => {
    place ??= storageOf(workspace.storage, { env, resolve, warn: log.warn });
    return {
      stateDir,
      ...(await place),
      ...(workspace.memory.enabled ? {} : { memory: null }),
      openArtifactBytes: async (bytes) =>
        (await import('./artifact-bytes.js')).openArtifactBytes(bytes, {
          ...{ host, credentials, stateDir },
          root: workspace.root,
        }),
    };
  };
}
