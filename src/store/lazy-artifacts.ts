import type { ArtifactStore } from '../domain/ports/artifacts.js';

/**
 * An artifact store whose code is loaded when the first artifact is put or looked for: most runs
 * have none, and every module costs time at each start.
 */
export function lazyArtifacts(load: () => Promise<ArtifactStore>): ArtifactStore {
  let loading: Promise<ArtifactStore> | undefined;
  const store = (): Promise<ArtifactStore> => (loading ??= load());
  return {
    put: async (artifact, fence) => (await store()).put(artifact, fence),
    find: async (ref) => (await store()).find(ref),
    read: async (sha256) => (await store()).read(sha256),
    list: async (filter) => (await store()).list(filter),
  };
}
