import { parseArtifactRef } from '../domain/artifact-ref.js';
import { isOfBytes, KitError } from '../domain/errors.js';
import type { ArtifactBytes, ArtifactStore } from '../domain/ports/artifacts.js';
import type { BlobStore } from '../domain/ports/stores.js';
import { sha256Hex } from '../lib/sha256.js';
import { ARTIFACTS, type ArtifactRecords, encodeArtifact, keyOf } from './artifact-row.js';
import { SHA256_HEX, undamaged } from './undamaged.js';

/** Bytes of artifacts outside the database, opened when the first artifact is put or read. */
export type OpenArtifactBytes = () => Promise<ArtifactBytes>;

export interface ArtifactStoreParts {
  readonly records: ArtifactRecords;
  readonly blobs: BlobStore;
  /** Absent: the bytes lie in the blobs. */
  readonly openBytes?: OpenArtifactBytes | undefined;
}

/**
 * Artifacts over the records of one database. Bytes first: no crash leaves a record without them.
 */
export function createArtifactStore({ records, blobs, openBytes }: ArtifactStoreParts): ArtifactStore {
  const bytesOf: OpenArtifactBytes = openBytes ?? (async () => inBlobs(blobs));
  return {
    async put(artifact, fence) {
      const sha256 = sha256Hex(artifact.bytes);
      const row = encodeArtifact(artifact, sha256);
      await (await bytesOf()).put(sha256, artifact.bytes);
      return ARTIFACTS.decode(await records.add(row, fence));
    },
    async find(text) {
      const parsed = parseArtifactRef(text);
      if (parsed === null) return null;
      const refKey = keyOf(parsed.ref);
      const found =
        parsed.digest === null
          ? await records.newest(refKey)
          : only(text, await records.byDigest(refKey, parsed.digest));
      return found === null ? null : ARTIFACTS.decode(found);
    },
    async read(sha256) {
      if (!SHA256_HEX.test(sha256)) return null;
      try {
        const bytes = await (await bytesOf()).get(sha256);
        return bytes === null ? null : undamaged(sha256, bytes);
      } catch (error) {
        if (!isOfBytes(error)) throw error;
        throw new KitError('KIT_ARTIFACT_CORRUPT', `the stored bytes of artifact ${sha256} have another digest`, {
          cause: error,
          data: { sha256 },
        });
      }
    },
    list: async (filter) => (await records.list(filter)).map(ARTIFACTS.decode),
  };
}

const inBlobs = (blobs: BlobStore): ArtifactBytes => ({
  put: async (_sha256, bytes) => void (await blobs.put(bytes)),
  get: (sha256) => blobs.get(sha256),
});

function only<Row extends { readonly sha256: string }>(text: string, rows: readonly Row[]): Row | null {
  const [first, second] = rows;
  if (second === undefined) return first ?? null;
  throw new KitError('KIT_ARTIFACT_AMBIGUOUS', `${text} fits several versions: their digests begin alike`, {
    data: { candidates: rows.map((row) => row.sha256) },
  });
}
