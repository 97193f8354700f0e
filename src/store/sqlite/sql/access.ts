/** A few with every batch: more go than come in the long run, and no write is long. */
export const DROP_ACCESS = 'DELETE FROM serve_access WHERE ord IN (SELECT ord FROM serve_access WHERE at < @before ORDER BY at LIMIT @limit)';
