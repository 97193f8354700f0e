import { parseArtifactRef, refWithDigest } from '../../domain/artifact-ref.js';
import { KitError } from '../../domain/errors.js';
import type { ArtifactStore } from '../../domain/ports/artifacts.js';
import type { Stores } from '../../domain/ports/stores.js';
import { hintFor } from '../../lib/nearest.js';
import { findJob, noRunHere } from '../find-job.js';
import type { ArtifactsApp } from './artifacts-app.js';

/** Real parts behind the use cases. */
export interface ArtifactsDeps {
  /**
   * Opens the store of a workspace without reading its YAML; null when it has none yet. Throws
   * KIT_WORKSPACE_NOT_FOUND.
   */
  readonly openStores: (workspace: string) => Promise<Pick<Stores, 'jobs' | 'artifacts' | 'retention'> | null>;
}

/** Refs among which a likely one is looked for. */
const LIKELY_AMONG = 1000;

export function createArtifactsApp({ openStores }: ArtifactsDeps): ArtifactsApp {
  return {
    async list({ workspace, correlation, run, limit }) {
      const stores = await openStores(workspace);
      if (stores === null) {
        if (run !== null) throw noRunHere(run);
        return [];
      }
      const runId = run === null ? undefined : (await findJob(stores, run)).id;
      return stores.artifacts.list({
        limit,
        ...(correlation === null ? {} : { correlation }),
        ...(runId === undefined ? {} : { runId }),
      });
    },
    async get({ workspace, ref }) {
      const stores = await openStores(workspace);
      const record = stores === null ? null : await stores.artifacts.find(ref);
      if (stores === null || record === null) throw await unknown(stores?.artifacts ?? null, ref);
      const bytes = await stores.artifacts.read(record.sha256);
      if (bytes !== null) return { record, bytes };
      throw new KitError('KIT_ARTIFACT_CORRUPT', `the bytes of ${refWithDigest(record)} are gone from the store`, {
        data: { sha256: record.sha256 },
      });
    },
  };
}

async function unknown(artifacts: ArtifactStore | null, text: string): Promise<KitError> {
  const parsed = parseArtifactRef(text);
  const newest = parsed === null ? null : ((await artifacts?.find(parsed.ref)) ?? null);
  if (newest !== null) {
    return new KitError('KIT_ARTIFACT_UNKNOWN', `${newest.ref} has no version #${parsed?.digest ?? ''}`, {
      hint: `The newest one is ${refWithDigest(newest)}`,
      data: { ref: text },
    });
  }
  const refs = ((await artifacts?.list({ limit: LIKELY_AMONG })) ?? []).map((record) => record.ref);
  const what = parsed === null ? `${text} is not a ref: <correlation>/<run>/<name>` : `there is no artifact ${text}`;
  return new KitError('KIT_ARTIFACT_UNKNOWN', what, {
    hint: hintFor(text, refs, { fallback: 'Run `kit artifacts list` to see what there is.' }),
    data: { ref: text },
  });
}
