import { LOCK_CLASS } from './session.js';

export const FIND_EVENT = 'SELECT * FROM events WHERE event_id = @eventId';

export const LAST_OF_RUN = 'SELECT seq, hash FROM events WHERE job_id = @jobId ORDER BY seq DESC LIMIT 1';

export const TOPOLOGY_OF_RUN = 'SELECT topology_id FROM events WHERE job_id = @jobId ORDER BY seq LIMIT 1';

export const READ_RUN = 'SELECT * FROM events WHERE job_id = @jobId AND seq > @afterSeq ORDER BY seq LIMIT @limit';

/**
 * Place of a cursor in one run that its event does not belong to: walks back from the run's end.
 */
export const SEQ_BEFORE_POS = 'SELECT seq FROM events WHERE job_id = @jobId AND pos <= @pos ORDER BY seq DESC LIMIT 1';

/**
 * The last statement of a commit: takes the lock of the log's end, then draws positions in the
 * order given (docs/design/journal.md#log-order). The lock is let go after the commit is visible,
 * so whoever draws next draws later, and a reader never skips. The sort takes in the row of `held`
 * before the first position is drawn. An event id that is there already is refused, and with it the
 * whole commit.
 */
export const INSERT_EVENTS = `
WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock(${LOCK_CLASS}, 1) AS lock)
INSERT INTO events (job_id, seq, event_id, type, timestamp, topology_id, agent_id, skill_id, step_key, payload, labels, correlation_id, prev_hash, hash)
SELECT e.job_id, e.seq, e.event_id, e.type, e.timestamp, e.topology_id, e.agent_id, e.skill_id, e.step_key, e.payload, e.labels, e.correlation_id, e.prev_hash, e.hash
FROM held, unnest(
  CAST(@job_id AS TEXT[]), CAST(@seq AS BIGINT[]), CAST(@event_id AS TEXT[]), CAST(@type AS TEXT[]), CAST(@timestamp AS TEXT[]), CAST(@topology_id AS TEXT[]),
  CAST(@agent_id AS TEXT[]), CAST(@skill_id AS TEXT[]), CAST(@step_key AS TEXT[]), CAST(@payload AS TEXT[]), CAST(@labels AS TEXT[]),
  CAST(@correlation_id AS TEXT[]), CAST(@prev_hash AS TEXT[]), CAST(@hash AS TEXT[])
) WITH ORDINALITY AS e (job_id, seq, event_id, type, timestamp, topology_id, agent_id, skill_id, step_key, payload, labels, correlation_id, prev_hash, hash, place)
ORDER BY e.place`;

/** The same, for whoever asks where they lie. */
export const INSERT_AND_NUMBER_EVENTS = `${INSERT_EVENTS}
RETURNING event_id, pos`;

/** What INSERT_AND_NUMBER_EVENTS has told of them. */
export const POSITIONS = 'SELECT event_id, pos FROM events WHERE event_id = ANY(CAST(@eventIds AS TEXT[]))';

/**
 * The end of the chain of one run. `has_called`: false where no call of a model can be in the log.
 */
export const endOfLog = (jobId: string): string =>
  `SELECT seq, hash, seq > 1 OR type = 'model.called' AS has_called FROM events WHERE events.job_id = ${jobId} ORDER BY seq DESC LIMIT 1`;

/** Ends of the chains of many runs at once; read after their rows were locked. */
export const LAST_OF_RUNS = `
SELECT j.job_id, e.seq, e.hash, e.has_called FROM unnest(CAST(@jobIds AS TEXT[])) AS j (job_id)
CROSS JOIN LATERAL (${endOfLog('j.job_id')}) AS e`;

/**
 * One index range per type, merged by position in one statement: a rare type does not scan the log,
 * and one snapshot sees all. The range is written as a comparison of pairs: with `type =` the
 * planner takes the order from the primary key and scans the log.
 */
export const READ_TYPES = `
SELECT e.* FROM unnest(CAST(@types AS TEXT[])) AS t (type)
CROSS JOIN LATERAL (
  SELECT * FROM events WHERE (events.type, events.pos) > (t.type, @afterPos) AND events.type <= t.type ORDER BY events.type, events.pos LIMIT @limit
) AS e
ORDER BY e.pos LIMIT @limit`;

/** Within a run `seq` and `pos` have the same order, so its index serves both. */
export const READ_RUN_TYPES =
  'SELECT * FROM events WHERE job_id = @jobId AND seq > @afterSeq AND type = ANY(CAST(@types AS TEXT[])) ORDER BY seq LIMIT @limit';

/**
 * The log read backwards; `residue`: what no index answers (sql/newest-events.ts). One index range
 * per type, as in READ_TYPES.
 */
export const NEWEST = (residue: string): string =>
  `SELECT * FROM events WHERE pos > @after AND pos <= @upTo${residue} ORDER BY pos DESC LIMIT @limit`;
export const NEWEST_OF_TYPES = (residue: string): string => `
SELECT e.* FROM unnest(CAST(@types AS TEXT[])) AS t (type)
CROSS JOIN LATERAL (
  SELECT * FROM events WHERE events.type >= t.type AND events.type <= t.type
    AND events.pos > @after AND events.pos <= @upTo${residue} ORDER BY events.type DESC, events.pos DESC LIMIT @limit
) AS e
ORDER BY e.pos DESC LIMIT @limit`;
export const NEWEST_OF_RUN = (residue: string): string => `
SELECT * FROM events
WHERE job_id = @jobId AND (CAST(@types AS TEXT[]) IS NULL OR type = ANY(CAST(@types AS TEXT[])))${residue} AND pos <= @upTo ORDER BY seq DESC LIMIT @limit`;
