import { defineArtifactStore } from '@kit-run/kit/plugin';
import { createFileStore } from './filesystem/store.js';

/**
 * Artifact store `filesystem`: `storage.artifacts` with `backend: filesystem`. kit hands over
 * `path` as an absolute one.
 */
export const contribution = defineArtifactStore({
  create: (config) => createFileStore(typeof config.path === 'string' ? config.path : ''),
});
