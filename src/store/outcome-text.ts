import { KitError } from '../domain/errors.js';
import type { BlobStore } from '../domain/ports/stores.js';
import type { StepRecord } from './step-row.js';

/**
 * The stored text of a step's result: in its row, or in the blob that the row names. Throws
 * KIT_STORE_UNAVAILABLE when that is gone.
 */
export async function outcomeText(
  blobs: Pick<BlobStore, 'get'>,
  record: StepRecord,
  hint: string,
): Promise<string | null> {
  if (record.outcome_sha256 === null) return record.outcome;
  const bytes = await blobs.get(record.outcome_sha256);
  if (bytes === null) {
    throw new KitError('KIT_STORE_UNAVAILABLE', `the result of step ${record.key} is missing from the blob store`, {
      hint,
      data: { job_id: record.job_id, key: record.key, sha256: record.outcome_sha256 },
    });
  }
  return new TextDecoder().decode(bytes);
}
