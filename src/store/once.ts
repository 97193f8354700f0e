import { createHash } from 'node:crypto';
import { KitError } from '../domain/errors.js';
import type { Job } from '../domain/job.js';
import type { Once } from '../domain/ports/stores.js';
import { decodeJob, type JobRow } from './job-row.js';

/** How long a key stands for the job that it made, by the store's clock. */
export const ONCE_MS = 24 * 60 * 60 * 1000;

/** When a key was used that is kept with its job: no time is late enough to drop it. */
const KEPT_AT = '9999-12-31T23:59:59.999Z';

export const usedAt = ({ isKept = false }: Once, now: string): string => (isKept ? KEPT_AT : now);

/** A job with the digest of the request that made it. */
export interface OnceRow extends JobRow {
  readonly digest: string;
}

/**
 * Client and key are text that callers choose: the row is found by a digest of both, in which
 * neither can pass for the other.
 */
export const onceKey = ({ clientId, key }: Once): string =>
  createHash('sha256')
    .update(JSON.stringify([clientId, key]))
    .digest('hex');

/**
 * The job of a key that is still in force. Throws KIT_IDEMPOTENCY_CONFLICT when another request
 * made it.
 */
export function repeatedJob(once: Once, row: OnceRow): Job {
  if (row.digest === once.digest) return decodeJob(row);
  throw new KitError(
    'KIT_IDEMPOTENCY_CONFLICT',
    `this Idempotency-Key was used for another request, which made run ${row.id}`,
    {
      data: { job_id: row.id },
    },
  );
}
