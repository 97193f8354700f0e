/** A few with every one that is taken; what another transaction is about to drop is passed over. */
export const DROP_OCCURRENCES = `
DELETE FROM trigger_occurrences
WHERE occurrence_key IN (SELECT occurrence_key FROM trigger_occurrences WHERE taken_at <= @before ORDER BY taken_at LIMIT 8 FOR UPDATE SKIP LOCKED)`;

export const LOCK_LIMITER = 'SELECT state FROM limiters WHERE account = @account FOR UPDATE';
