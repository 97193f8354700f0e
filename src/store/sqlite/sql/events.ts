/** A second write of an event id changes nothing (the no-replace trigger ignores it). */
export const INSERT_EVENT = `
INSERT INTO events (job_id, seq, event_id, type, timestamp, topology_id, agent_id, skill_id, step_key, payload, labels, correlation_id, prev_hash, hash)
VALUES (@job_id, @seq, @event_id, @type, @timestamp, @topology_id, @agent_id, @skill_id, @step_key, @payload, @labels, @correlation_id, @prev_hash, @hash)`;

export const FIND_EVENT = 'SELECT * FROM events WHERE event_id = @eventId';
export const LAST_OF_RUN = 'SELECT seq, hash FROM events WHERE job_id = @jobId ORDER BY seq DESC LIMIT 1';
export const TOPOLOGY_OF_RUN = 'SELECT topology_id FROM events WHERE job_id = @jobId ORDER BY seq LIMIT 1';

export const READ_RUN = 'SELECT * FROM events WHERE job_id = @jobId AND seq > @afterSeq ORDER BY seq LIMIT @limit';
export const READ_ALL = 'SELECT * FROM events WHERE pos > @afterPos ORDER BY pos LIMIT @limit';
/** One index range per type; the pages are merged by position (a rare type must not scan the log). */
export const READ_TYPE = 'SELECT * FROM events WHERE type = @type AND pos > @afterPos ORDER BY pos LIMIT @limit';
/** Within a run `seq` and `pos` have the same order, so its index serves both. */
export const READ_RUN_TYPES =
  'SELECT * FROM events WHERE job_id = @jobId AND seq > @afterSeq AND type IN (SELECT value FROM json_each(@types)) ORDER BY seq LIMIT @limit';

/** Place of a cursor in one run: by its own event where that belongs to the run, else by walking back from the run's end. */
export const SEQ_AT_POS = 'SELECT seq FROM events WHERE pos = @pos AND job_id = @jobId';
export const SEQ_BEFORE_POS = 'SELECT seq FROM events WHERE job_id = @jobId AND pos <= @pos ORDER BY seq DESC LIMIT 1';
