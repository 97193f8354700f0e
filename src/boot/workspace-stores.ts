import type { StoragePlace } from '../app/storage/resolve-storage.js';
import type { StoreOpener, StorePlace } from './open-stores.js';
import { noVault } from './open-vault.js';
import type { SessionParts, WorkspaceStores } from './parts.js';

interface Places {
  readonly runs: StorePlace;
  /**
   * Asked last: a place that cannot be honoured is nobody's trouble who does not look at the fleet.
   */
  readonly fleet: () => Promise<StoragePlace>;
}

export const createWorkspaceStores = (parts: SessionParts, stores: StoreOpener): WorkspaceStores => ({
  openStores: async (workspace) => stores.openExisting((await placesOf(parts, workspace)).runs),
  openMemory: async (workspace) => stores.openMemory((await placesOf(parts, workspace)).runs),
  openFleet: async (workspace) => {
    const { runs, fleet } = await placesOf(parts, workspace);
    return stores.openFleet(runs, await fleet());
  },
});

/**
 * Stop and checkpoints read the place of the store and the store alone: they work while other
 * artifacts are broken. Throws KIT_WORKSPACE_NOT_FOUND.
 */
async function placesOf(parts: SessionParts, workspace: string): Promise<Places> {
  const [{ storageOf }, { stateDirOf }, { readStorage }, { nodeFiles }] = await Promise.all([
    import('./runs-place.js'),
    import('./state-dir.js'),
    import('../app/storage/read-storage.js'),
    import('../system/files.js'),
  ]);
  const { env } = parts;
  const { settings, resolve, credentials, lookup } = await readStorage(workspace, {
    files: nodeFiles,
    environment: env,
  });
  const openHost = async () => {
    const { openWorkspaceHost } = await import('./workspace-host.js');
    return openWorkspaceHost({
      ...parts,
      files: nodeFiles,
      // Where the bytes of artifacts lie is known before the runs can be opened.
      vault: noVault,
      workspace: { root: workspace, credentials, lookup },
    });
  };
  let host: ReturnType<typeof openHost> | undefined;
  const stateDir = stateDirOf(workspace, env);
  const runs: StorePlace = {
    stateDir,
    ...(await storageOf(settings, { env, resolve })),
    openArtifactBytes: async (place) => {
      host ??= openHost();
      return (await import('./artifact-bytes.js')).openArtifactBytes(place, {
        ...(await host),
        root: workspace,
        stateDir,
      });
    },
  };
  return {
    runs,
    fleet: async () => {
      const [{ fleetPlace }, { storageEnvironment }] = await Promise.all([
        import('../app/storage/store-rows.js'),
        import('../app/storage/storage-environment.js'),
      ]);
      return fleetPlace(settings, storageEnvironment(env, resolve));
    },
  };
}
