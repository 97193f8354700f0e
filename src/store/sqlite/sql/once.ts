export { FIND_ONCE, PUT_ONCE } from '../../sql/once.js';

/** A few with every new key: more go than come, and no write is long. */
export const DROP_ONCE = `
DELETE FROM once_keys WHERE once_key IN (SELECT once_key FROM once_keys WHERE used_at <= @expired ORDER BY used_at LIMIT 8)`;
