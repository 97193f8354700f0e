/** Statements about idempotency keys, the same text in both dialects; named parameters. */

export const FIND_ONCE = `
SELECT once_keys.digest, jobs.* FROM once_keys JOIN jobs ON jobs.id = once_keys.job_id
WHERE once_keys.once_key = @onceKey AND once_keys.used_at > @expired`;

/** Changes nothing while the key is in force: its time is not over, and there is its job. */
export const TAKE_ONCE = `
INSERT INTO once_keys (once_key, digest, job_id, used_at) VALUES (@onceKey, @digest, @jobId, @now)
ON CONFLICT (once_key) DO UPDATE SET digest = excluded.digest, job_id = excluded.job_id, used_at = excluded.used_at
WHERE once_keys.used_at <= @expired OR NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = once_keys.job_id)`;
