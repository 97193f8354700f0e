/** A few with every one that is taken: more go than come, and no write is long. */
export const DROP_OCCURRENCES = `
DELETE FROM trigger_occurrences
WHERE occurrence_key IN (SELECT occurrence_key FROM trigger_occurrences WHERE taken_at <= @before ORDER BY taken_at LIMIT 8)`;

/** A write transaction is alone here: nothing else needs to be locked. */
export const LOCK_LIMITER = 'SELECT state FROM limiters WHERE account = @account';
