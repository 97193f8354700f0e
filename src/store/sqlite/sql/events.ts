import { RUN_OF } from './run-of.js';

/**
 * A second write of an event id changes nothing, where no step tells of the event; who writes those
 * of steps knows which there are (append-events.ts).
 */
export const INSERT_EVENT = `
INSERT INTO event_rows (run, seq, event_id, type, timestamp, topology_id, agent_id, skill_id, step_key, payload, labels, correlation_id, hash)
VALUES (@run, @seq, @event_id, @type, @timestamp, @topology_id, @agent_id, @skill_id, @step_key, @payload, @labels, @correlation_id, @hash)
ON CONFLICT (run, event_id) WHERE step_key IS NULL DO NOTHING`;

/** `event_id` is looked for as it lies (row-values.ts). */
const byId = (ofStep: string): string =>
  `SELECT * FROM events WHERE pos = (SELECT pos FROM event_rows WHERE run = @run AND event_id = @eventId AND step_key ${ofStep})`;

/** Of no step. */
export const FIND_EVENT = byId('IS NULL');

/**
 * Both walk through the run: the one where a claim writes first, the other where an event comes
 * again.
 */
export const STEP_EVENT_IDS = 'SELECT event_id FROM events WHERE run = @run AND step_key IS NOT NULL';
export const FIND_STEP_EVENT = byId('IS NOT NULL');

export const LAST_OF_RUN = 'SELECT seq, hash FROM events WHERE run = @run ORDER BY seq DESC LIMIT 1';

export const TOPOLOGY_OF_RUN = 'SELECT topology_id FROM events WHERE run = @run ORDER BY seq LIMIT 1';

export const READ_RUN = `SELECT * FROM events WHERE run = ${RUN_OF} AND seq > @afterSeq ORDER BY seq LIMIT @limit`;

/**
 * Place of a cursor in one run that its event does not belong to: walks back from the run's end.
 */
export const SEQ_BEFORE_POS = `SELECT seq FROM events WHERE run = ${RUN_OF} AND pos <= @pos ORDER BY seq DESC LIMIT 1`;

/** The end of what is filed by type: from here on the log itself is looked through. */
const FILED = "coalesce((SELECT pos FROM event_types WHERE type = ''), 0)";
export const FILE_TYPES = `
INSERT INTO event_types (type, pos) SELECT type, pos FROM events WHERE pos > ${FILED} AND pos <= @upTo ORDER BY type, pos`;
export const MOVE_END_OF_FILED = "UPDATE event_types SET pos = @upTo WHERE type = ''";
export const ADD_END_OF_FILED = "INSERT INTO event_types (type, pos) VALUES ('', @upTo)";

/**
 * One range of places per type, and the few events behind them; several are merged by position (a
 * rare type must not scan the log). One statement: what is filed between two is missed by both.
 */
export const PLACES_OF_TYPE = `
SELECT pos FROM event_types WHERE type = @type AND pos > @afterPos
UNION ALL SELECT pos FROM events WHERE pos > max(@afterPos, ${FILED}) AND type = @type ORDER BY pos LIMIT @limit`;
export const AT_PLACES = 'SELECT * FROM events WHERE pos IN (SELECT value FROM json_each(@places)) ORDER BY pos';
export const READ_TYPE = `SELECT * FROM events WHERE pos IN (${PLACES_OF_TYPE}) ORDER BY pos`;

/** Within a run `seq` and `pos` have the same order, so its index serves both. */
export const READ_RUN_TYPES = `
SELECT * FROM events WHERE run = ${RUN_OF} AND seq > @afterSeq AND type IN (SELECT value FROM json_each(@types)) ORDER BY seq LIMIT @limit`;

/** Of an event, but `pos`, which a statement orders by. */
const COLUMNS =
  'events.type AS type, job_id, seq, event_id, timestamp, topology_id, agent_id, skill_id, step_key, payload, labels, correlation_id, prev_hash, hash';

/**
 * The log read backwards; `residue`: what no index answers (sql/newest-events.ts). One index range
 * per type, merged as in READ_TYPE.
 */
export const NEWEST = (residue: string): string =>
  `SELECT * FROM events WHERE pos > @after AND pos <= @upTo${residue} ORDER BY pos DESC LIMIT @limit`;
export const NEWEST_OF_TYPE = (residue: string): string => `
SELECT filed.pos AS pos, ${COLUMNS} FROM event_types AS filed CROSS JOIN events ON events.pos = filed.pos
WHERE filed.type = @type AND filed.pos > @after AND filed.pos <= @upTo${residue}
UNION ALL SELECT pos, ${COLUMNS} FROM events WHERE pos > max(@after, ${FILED}) AND pos <= @upTo AND events.type = @type${residue}
ORDER BY pos DESC LIMIT @limit`;
export const NEWEST_OF_RUN = (residue: string): string => `
SELECT * FROM events WHERE run = ${RUN_OF} AND (@types IS NULL OR type IN (SELECT value FROM json_each(@types)))${residue} AND pos <= @upTo ORDER BY seq DESC LIMIT @limit`;
