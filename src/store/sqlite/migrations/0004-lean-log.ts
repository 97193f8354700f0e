/**
 * The hot tables without what each insert paid for (docs/performance.md has the figures). Notes on
 * what is not obvious:
 * - `run` is `jobs.ord` (0 = no job). The indexes lead with it and not with the drawn id of the
 *   job: it is short, and what runs that were submitted together write lies side by side, so that a
 *   commit that many runs share touches few pages.
 * - no AUTOINCREMENT: the log is never deleted from, so the next position is always above every one
 *   that was given.
 * - `events_no_replace`: REPLACE deletes without firing a delete trigger. kit inserts plainly;
 *   whoever else inserts changes nothing (`kit_writes` is 0 on every connection but a writer's), or
 *   is refused for lack of the function. A column that an earlier migration adds to one of the two
 *   tables must be named here as well.
 */
export const LEAN_LOG = `
CREATE TABLE lean_steps (
  ord INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES jobs (ord),
  job_id TEXT NOT NULL,
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  identity TEXT NOT NULL,
  effects TEXT NOT NULL,
  on_in_doubt TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  step_id TEXT NOT NULL,
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
INSERT INTO lean_steps (ord, run, job_id, key, kind, identity, effects, on_in_doubt, attempt, step_id, outcome, outcome_sha256, notes, usage, units,
  agent_id, started_at, ended_at, pruned_at)
SELECT s.ord, j.ord, s.job_id, s.key, s.kind, s.identity, s.effects, s.on_in_doubt, s.attempt, s.step_id, s.outcome, s.outcome_sha256, s.notes, s.usage,
  s.units, s.agent_id, s.started_at, s.ended_at, s.pruned_at
FROM steps s JOIN jobs j ON j.id = s.job_id ORDER BY s.ord;
DROP TABLE steps;
ALTER TABLE lean_steps RENAME TO steps;
CREATE UNIQUE INDEX steps_by_run ON steps (run, key);
CREATE INDEX steps_by_blob ON steps (outcome_sha256) WHERE outcome_sha256 IS NOT NULL;

CREATE TABLE lean_events (
  pos INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  job_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  topology_id TEXT NOT NULL,
  agent_id TEXT,
  skill_id TEXT,
  step_key TEXT,
  payload TEXT NOT NULL,
  labels TEXT NOT NULL,
  correlation_id TEXT,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
INSERT INTO lean_events (pos, run, job_id, seq, event_id, type, timestamp, topology_id, agent_id, skill_id, step_key, payload, labels, correlation_id,
  prev_hash, hash)
SELECT e.pos, coalesce(j.ord, 0), e.job_id, e.seq, e.event_id, e.type, e.timestamp, e.topology_id, e.agent_id, e.skill_id, e.step_key, e.payload, e.labels,
  e.correlation_id, e.prev_hash, e.hash
FROM events e LEFT JOIN jobs j ON j.id = e.job_id ORDER BY e.pos;
DROP TABLE events;
ALTER TABLE lean_events RENAME TO events;
CREATE UNIQUE INDEX events_by_run ON events (run, seq);
CREATE UNIQUE INDEX events_by_id ON events (run, event_id);
CREATE INDEX events_by_type ON events (type, pos);
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN
  SELECT RAISE(ABORT, 'the event log is append-only');
END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN
  SELECT RAISE(ABORT, 'the event log is append-only');
END;
CREATE TRIGGER events_no_replace BEFORE INSERT ON events WHEN NOT kit_writes() BEGIN
  SELECT RAISE(IGNORE);
END;
`;
