/** Text of a digest as its bytes, and back; what is not one stays as it is (row-values.ts). */
const packed = (column: string, of: string): string =>
  `CASE WHEN length(${of}) IN (32, 64) AND ${of} NOT GLOB '*[^0-9a-f]*' THEN unhex(${of}) ELSE ${of} END AS ${column}`;
const digest = (of: string): string => `CASE typeof(${of}) WHEN 'blob' THEN lower(hex(${of})) ELSE ${of} END`;

const HEX4 = '[0-9a-f][0-9a-f][0-9a-f][0-9a-f]';
const UUID = `${HEX4}${HEX4}-${HEX4}-${HEX4}-${HEX4}-${HEX4}${HEX4}${HEX4}`;
const part = (from: number, bytes: number): string => `hex(substr(event_id, ${from}, ${bytes}))`;

/** The run of a row: its own column says so only where no row of `jobs` does. */
const JOB_ID = "coalesce(job_id, (SELECT id FROM jobs WHERE ord = event_rows.run), '')";

/**
 * Journal and log without what another row says already, and with bytes in place of their digits: a
 * quarter of what a run takes. Notes on what is not obvious:
 * - `events` and `steps` are what is read, in the columns that they had; the rows lie in
 *   `event_rows` and `step_rows`, and whoever writes names these. SQLite looks through such a view:
 *   a column that nobody asks for costs nothing.
 * - the digest of an event covers that of the event before it, which is read where it lies. Where
 *   that event is gone, `prev_hash` is empty, and the chain is broken there as it was.
 * - `job_id` is kept of events whose run has no row in `jobs`: stores of before migration 4 may
 *   hold some.
 * - digests and ids are ANY: one that is not what kit writes stays text, so that who checks the log
 *   finds it.
 */
export const THIN_ROWS = `
CREATE TABLE event_rows (
  pos INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  event_id ANY NOT NULL,
  type TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  topology_id TEXT NOT NULL,
  agent_id TEXT,
  skill_id TEXT,
  step_key TEXT,
  payload TEXT NOT NULL,
  labels TEXT NOT NULL,
  correlation_id TEXT,
  hash ANY NOT NULL,
  job_id TEXT
) STRICT;
INSERT INTO event_rows (pos, run, seq, event_id, type, timestamp, topology_id, agent_id, skill_id, step_key, payload, labels, correlation_id, hash, job_id)
SELECT pos, run, seq, CASE WHEN event_id GLOB '${UUID}' THEN unhex(event_id, '-') ELSE event_id END, type, timestamp, topology_id, agent_id, skill_id,
  step_key, payload, labels, correlation_id, ${packed('hash', 'hash')}, CASE WHEN run = 0 AND job_id <> '' THEN job_id END
FROM events ORDER BY pos;
DROP TABLE events;
CREATE UNIQUE INDEX events_by_run ON event_rows (run, seq);
CREATE UNIQUE INDEX events_by_id ON event_rows (run, event_id) WHERE step_key IS NULL;
CREATE VIEW events AS SELECT pos, run, ${JOB_ID} AS job_id, seq,
  CASE typeof(event_id) WHEN 'blob'
    THEN lower(${part(1, 4)} || '-' || ${part(5, 2)} || '-' || ${part(7, 2)} || '-' || ${part(9, 2)} || '-' || ${part(11, 6)})
    ELSE event_id END AS event_id,
  type, timestamp, topology_id, agent_id, skill_id, step_key,
  payload, labels, correlation_id,
  coalesce((SELECT ${digest('p.hash')} FROM event_rows AS p WHERE p.run = event_rows.run AND p.seq = event_rows.seq - 1), '') AS prev_hash,
  ${digest('hash')} AS hash
FROM event_rows;
CREATE TRIGGER events_no_update BEFORE UPDATE ON event_rows BEGIN
  SELECT RAISE(ABORT, 'the event log is append-only');
END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON event_rows
WHEN NOT EXISTS (
  SELECT 1 FROM pruned_runs WHERE job_id = coalesce(OLD.job_id, (SELECT id FROM jobs WHERE ord = OLD.run), '') AND is_open = 1
)
BEGIN
  SELECT RAISE(ABORT, 'the event log is append-only');
END;
CREATE TRIGGER events_no_replace BEFORE INSERT ON event_rows WHEN NOT kit_writes() BEGIN
  SELECT RAISE(IGNORE);
END;
CREATE TRIGGER events_unfiled AFTER DELETE ON event_rows BEGIN
  DELETE FROM event_types WHERE type = OLD.type AND pos = OLD.pos;
END;

CREATE TABLE step_rows (
  ord INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES jobs (ord),
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  identity ANY NOT NULL,
  effects TEXT NOT NULL,
  on_in_doubt TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  step_id ANY NOT NULL,
  outcome TEXT,
  outcome_sha256 TEXT,
  notes TEXT NOT NULL,
  usage TEXT,
  units REAL NOT NULL,
  agent_id TEXT,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  pruned_at TEXT
) STRICT;
INSERT INTO step_rows (ord, run, key, kind, identity, effects, on_in_doubt, attempt, step_id, outcome, outcome_sha256, notes, usage, units, agent_id,
  started_at, ended_at, pruned_at)
SELECT ord, run, key, kind, ${packed('identity', 'identity')}, effects, on_in_doubt, attempt, ${packed('step_id', 'step_id')}, outcome, outcome_sha256,
  notes, usage, units, agent_id, started_at, ended_at, pruned_at
FROM steps ORDER BY ord;
DROP TABLE steps;
CREATE UNIQUE INDEX steps_by_run ON step_rows (run, key);
CREATE INDEX steps_by_blob ON step_rows (outcome_sha256) WHERE outcome_sha256 IS NOT NULL;
CREATE VIEW steps AS SELECT ord, run, (SELECT id FROM jobs WHERE ord = step_rows.run) AS job_id, key, kind,
  ${digest('identity')} AS identity, effects, on_in_doubt, attempt, ${digest('step_id')} AS step_id,
  outcome, outcome_sha256, notes, usage, units, agent_id,
  started_at, ended_at, pruned_at
FROM step_rows;
`;
