import { defineArtifactStore, importOptional } from '@kit-run/kit/plugin';
import { decodeConfig } from './s3/config.js';

/** Artifact store `s3`: `storage.artifacts` with `backend: s3`. */
export const contribution = defineArtifactStore({
  create: async (config, context) => {
    const { createS3Store } = await importOptional('s3mini', () => import('./s3/store.js'));
    return createS3Store(decodeConfig(config), context);
  },
});
