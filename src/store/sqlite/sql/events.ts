export {
  FIND_EVENT,
  LAST_OF_RUN,
  READ_ALL,
  READ_RUN,
  SEQ_AT_POS,
  SEQ_BEFORE_POS,
  TOPOLOGY_OF_RUN,
} from '../../sql/events.js';

/** A second write of an event id changes nothing (the no-replace trigger ignores it). */
export const INSERT_EVENT = `
INSERT INTO events (job_id, seq, event_id, type, timestamp, topology_id, agent_id, skill_id, step_key, payload, labels, correlation_id, prev_hash, hash)
VALUES (@job_id, @seq, @event_id, @type, @timestamp, @topology_id, @agent_id, @skill_id, @step_key, @payload, @labels, @correlation_id, @prev_hash, @hash)`;

/** One index range per type; the pages are merged by position (a rare type must not scan the log). */
export const READ_TYPE = 'SELECT * FROM events WHERE type = @type AND pos > @afterPos ORDER BY pos LIMIT @limit';
/** Within a run `seq` and `pos` have the same order, so its index serves both. */
export const READ_RUN_TYPES =
  'SELECT * FROM events WHERE job_id = @jobId AND seq > @afterSeq AND type IN (SELECT value FROM json_each(@types)) ORDER BY seq LIMIT @limit';
