/** Statements about idempotency keys, the same text in both dialects; named parameters. */

export const FIND_ONCE = `
SELECT once_keys.digest, jobs.* FROM once_keys JOIN jobs ON jobs.id = once_keys.job_id
WHERE once_keys.once_key = @onceKey AND once_keys.used_at > @expired`;

/** Whatever the key stood for: for whoever holds its lock and has seen that its job is gone. */
export const PUT_ONCE = `
INSERT INTO once_keys (once_key, digest, job_id, used_at) VALUES (@onceKey, @digest, @jobId, @now)
ON CONFLICT (once_key) DO UPDATE SET digest = excluded.digest, job_id = excluded.job_id, used_at = excluded.used_at`;
