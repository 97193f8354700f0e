import { defineArtifactStore } from '@kit-run/kit/plugin';
import { decodeConfig } from './s3/config.js';
import { createS3Store } from './s3/store.js';

/** Artifact store `s3`: `storage.artifacts` with `backend: s3`. */
export const contribution = defineArtifactStore({ create: (config, context) => createS3Store(decodeConfig(config), context) });
