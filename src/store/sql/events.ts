/** Statements about events that are the same text in both dialects; named parameters. */

export const READ_ALL = 'SELECT * FROM events WHERE pos > @afterPos ORDER BY pos LIMIT @limit';

/** The newest event; no row where the log is empty. */
export const LOG_END = 'SELECT pos, hash FROM events WHERE pos = (SELECT max(pos) FROM events)';

/** Place of a cursor in one run, when its own event belongs to the run. */
export const SEQ_AT_POS = 'SELECT seq FROM events WHERE pos = @pos AND job_id = @jobId';
