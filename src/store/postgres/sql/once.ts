import { PUT_ONCE } from '../../sql/once.js';

export { FIND_ONCE, PUT_ONCE } from '../../sql/once.js';

/**
 * Changes nothing while the time of the key is not over, and locks its row all the same. Whether
 * its job is still there cannot be asked here: a job that was committed meanwhile is not seen by
 * this statement.
 */
export const TAKE_ONCE = `${PUT_ONCE}
WHERE once_keys.used_at <= @expired`;

/**
 * A few with every new key: more go than come, and no write is long. What another transaction is
 * about to drop is passed over.
 */
export const DROP_ONCE = `
DELETE FROM once_keys WHERE once_key IN (SELECT once_key FROM once_keys WHERE used_at <= @expired ORDER BY used_at LIMIT 8 FOR UPDATE SKIP LOCKED)`;
