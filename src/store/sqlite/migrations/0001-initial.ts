/**
 * Jobs, journal, log. Notes on what is not obvious:
 * - `jobs.ord`, `steps.ord`: explicit, so that VACUUM does not renumber them; order of insertion.
 * - `waiting_status`: where a job goes back to when its lease is given up (`queued` with --role
 *   api, else `pending`).
 * - `jobs_claimable`, `jobs_due` are partial, by the claim's own predicates: an index that also
 *   holds other statuses makes a claim from 100,000 jobs fifty times slower (spec: performance).
 * - a step's events are the log's rows with its key: same database, same commit, so there is no
 *   second copy to disagree.
 * - `events_no_replace`: REPLACE deletes without firing a delete trigger, so it is made a no-op
 *   here.
 */
export const INITIAL = `
CREATE TABLE jobs (
  ord INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('pending', 'queued', 'running', 'deferred', 'completed', 'failed', 'stopped')),
  waiting_status TEXT NOT NULL CHECK (waiting_status IN ('pending', 'queued')),
  topology TEXT NOT NULL,
  version TEXT,
  input TEXT NOT NULL,
  output TEXT,
  reason TEXT,
  error TEXT,
  usage TEXT,
  diff_length INTEGER,
  diffs_sha256 TEXT,
  correlation_id TEXT,
  labels TEXT NOT NULL,
  parent_job_id TEXT,
  source TEXT NOT NULL,
  submitted_by TEXT NOT NULL,
  submitted_assurance TEXT NOT NULL,
  worker_id TEXT,
  lease_until TEXT,
  holder TEXT,
  attempt INTEGER NOT NULL,
  crashes INTEGER NOT NULL,
  job_class TEXT NOT NULL CHECK (job_class IN ('model', 'harness')),
  priority INTEGER NOT NULL,
  engine INTEGER NOT NULL,
  needs TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  recover TEXT NOT NULL CHECK (recover IN ('manual', 'auto')),
  waiting_on TEXT NOT NULL,
  auto_resume INTEGER NOT NULL,
  wake_at TEXT,
  stop_requested_at TEXT,
  stop_requested_by TEXT,
  executed_ms INTEGER NOT NULL,
  timeout_ms INTEGER,
  attachments TEXT NOT NULL,
  created_at TEXT NOT NULL,
  claimed_at TEXT,
  started_at TEXT,
  parked_at TEXT,
  completed_at TEXT
) STRICT;
CREATE INDEX jobs_claimable ON jobs (priority DESC, created_at, ord) WHERE status IN ('pending', 'queued');
CREATE INDEX jobs_due ON jobs (wake_at) WHERE status = 'running' AND worker_id IS NULL AND wake_at IS NOT NULL;
CREATE INDEX jobs_held ON jobs (worker_id) WHERE status = 'running' AND worker_id IS NOT NULL;
CREATE INDEX jobs_by_status ON jobs (status, ord);
CREATE INDEX jobs_by_correlation ON jobs (correlation_id, ord) WHERE correlation_id IS NOT NULL;

CREATE TABLE steps (
  ord INTEGER PRIMARY KEY,
  job_id TEXT NOT NULL REFERENCES jobs (id),
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
  UNIQUE (job_id, key)
) STRICT;

CREATE TABLE events (
  pos INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  event_id TEXT NOT NULL UNIQUE,
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
  hash TEXT NOT NULL,
  UNIQUE (job_id, seq)
) STRICT;
CREATE INDEX events_by_type ON events (type, pos);
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN
  SELECT RAISE(ABORT, 'the event log is append-only');
END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN
  SELECT RAISE(ABORT, 'the event log is append-only');
END;
CREATE TRIGGER events_no_replace BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE event_id = NEW.event_id)
  OR EXISTS (SELECT 1 FROM events WHERE job_id = NEW.job_id AND seq = NEW.seq)
  OR EXISTS (SELECT 1 FROM events WHERE pos = NEW.pos)
BEGIN
  SELECT RAISE(IGNORE);
END;
`;
