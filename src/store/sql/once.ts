import type { SqlDialect } from '../program.js';

/** Statements about idempotency keys, the same text in both dialects; named parameters. */

export const FIND_ONCE = `
SELECT once_keys.digest, jobs.* FROM once_keys JOIN jobs ON jobs.id = once_keys.job_id
WHERE once_keys.once_key = @onceKey AND once_keys.used_at > @expired`;

/** Whatever the key stood for: for whoever holds its lock and has seen that its job is gone. */
export const PUT_ONCE = `
INSERT INTO once_keys (once_key, digest, job_id, used_at) VALUES (@onceKey, @digest, @jobId, @now)
ON CONFLICT (once_key) DO UPDATE SET digest = excluded.digest, job_id = excluded.job_id, used_at = excluded.used_at`;

/**
 * A few with every new key: more go than come, and no write is long. What another transaction is
 * about to drop is passed over.
 */
export const dropOnce = ({ goes }: Pick<SqlDialect, 'goes'>): string => `
DELETE FROM once_keys WHERE once_key IN (SELECT once_key FROM once_keys WHERE used_at <= @expired ORDER BY used_at LIMIT 8 ${goes})`;

/**
 * Changes nothing while the time of the key is not over, and locks its row all the same. Whether
 * its job is still there cannot be asked here: a job that was committed meanwhile is not seen by
 * this statement.
 */
export const TAKE_ONCE = `${PUT_ONCE}
WHERE once_keys.used_at <= @expired`;
