/** Statements about events that are the same text in both dialects; named parameters. */

export const FIND_EVENT = 'SELECT * FROM events WHERE event_id = @eventId';

export const LAST_OF_RUN = 'SELECT seq, hash FROM events WHERE job_id = @jobId ORDER BY seq DESC LIMIT 1';

export const TOPOLOGY_OF_RUN = 'SELECT topology_id FROM events WHERE job_id = @jobId ORDER BY seq LIMIT 1';

export const READ_RUN = 'SELECT * FROM events WHERE job_id = @jobId AND seq > @afterSeq ORDER BY seq LIMIT @limit';

export const READ_ALL = 'SELECT * FROM events WHERE pos > @afterPos ORDER BY pos LIMIT @limit';

/** Place of a cursor in one run: by its own event where that belongs to the run, else by walking back from the run's end. */
export const SEQ_AT_POS = 'SELECT seq FROM events WHERE pos = @pos AND job_id = @jobId';

export const SEQ_BEFORE_POS = 'SELECT seq FROM events WHERE job_id = @jobId AND pos <= @pos ORDER BY seq DESC LIMIT 1';
