import { LOCK_CLASS } from './session.js';

export { BEHIND, NEWEST_UP_TO } from '../../sql/audit.js';

/**
 * Held until the commit: of several processes one copies, and the others do something else
 * meanwhile.
 */
export const TRY_LOCK_COPY = `SELECT pg_try_advisory_xact_lock(${LOCK_CLASS}, 5) AS held`;

export const EVENT_AT = 'SELECT pos, event_id, hash FROM events WHERE pos = @pos';

/** Rows as they lie in the log of the runs, position and chain included. */
export const COPY_EVENTS = `
INSERT INTO events (pos, job_id, seq, event_id, type, timestamp, topology_id, agent_id, skill_id, step_key, payload, labels, correlation_id, prev_hash, hash)
SELECT * FROM unnest(
  CAST(@pos AS BIGINT[]), CAST(@job_id AS TEXT[]), CAST(@seq AS BIGINT[]), CAST(@event_id AS TEXT[]), CAST(@type AS TEXT[]), CAST(@timestamp AS TEXT[]),
  CAST(@topology_id AS TEXT[]), CAST(@agent_id AS TEXT[]), CAST(@skill_id AS TEXT[]), CAST(@step_key AS TEXT[]), CAST(@payload AS TEXT[]),
  CAST(@labels AS TEXT[]), CAST(@correlation_id AS TEXT[]), CAST(@prev_hash AS TEXT[]), CAST(@hash AS TEXT[])
)
ON CONFLICT (event_id) DO NOTHING`;

/** How many of the events lie where they belong. */
export const COUNT_COPIED = `
SELECT count(*)::int AS there FROM unnest(CAST(@pos AS BIGINT[]), CAST(@hash AS TEXT[])) AS e (pos, hash)
JOIN events ON events.pos = e.pos AND events.hash = e.hash`;
