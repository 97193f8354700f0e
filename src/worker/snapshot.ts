import { goneBytes, KitError } from '../domain/errors.js';
import type { Job } from '../domain/job.js';
import type { BlobStore } from '../domain/ports/stores.js';
import { type RunSnapshot, SNAPSHOT_FORMAT } from '../domain/snapshot.js';

/**
 * The frozen work of a job. It is the compiled form: a resume compiles nothing
 * (docs/design/journal.md#snapshot).
 */
export async function decodeSnapshot(blobs: BlobStore, job: Job): Promise<RunSnapshot> {
  const bytes = await blobs.get(job.snapshot);
  if (bytes === null) throw goneBytes(job.snapshot, `what run ${job.id} goes on with`);
  // The digest names the bytes, and only submit-run writes them.
  const snapshot = JSON.parse(new TextDecoder().decode(bytes)) as RunSnapshot;
  if (snapshot.format !== SNAPSHOT_FORMAT) {
    throw new KitError(
      'KIT_JOURNAL_DIVERGED',
      `run ${job.id} was recorded in snapshot format ${snapshot.format}; this kit reads ${SNAPSHOT_FORMAT}`,
    );
  }
  return snapshot;
}
