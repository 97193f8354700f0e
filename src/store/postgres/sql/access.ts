/** A few with every batch; what another transaction is about to drop is passed over. */
export const DROP_ACCESS = `
DELETE FROM serve_access WHERE ord IN (SELECT ord FROM serve_access WHERE at < @before ORDER BY at LIMIT @limit FOR UPDATE SKIP LOCKED)`;
