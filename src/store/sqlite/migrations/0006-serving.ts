/**
 * What servers keep beside the runs, and the indexes that their questions about jobs need. Notes on
 * what is not obvious:
 * - `once_key`, `occurrence_key`: SHA-256 of what they are made of. People choose the text, and an
 *   entry of a sorted index is bounded in PostgreSQL.
 * - `serve_access`: nothing changes a line, and nothing removes one that is less than 365 days
 *   older than the newest (what audit rows are kept for by default); REPLACE deletes without firing
 *   a delete trigger, so it is refused as well.
 * - `canary_results`: a run counts once, whoever reports its end.
 * - `canary_promotions.n` counts the changes of one route: of two who write after the same one, one
 *   finds its number taken.
 * - `conversation_turns.job_id`: the turn is taken before its run is submitted. Its answer is what
 *   that run says, and lies with it alone.
 * - `jobs_by_topology` is by the name without the version that a canary route may have put behind
 *   it.
 * - `jobs_waiting` holds all that the depth of the queue is counted from, so that 100,000 waiting
 *   jobs are not read; `jobs_sampled` is partial, by the predicate of the sample: runs that were
 *   claimed once and completed, the newest first.
 */
export const SERVING = `
CREATE TABLE once_keys (
  once_key TEXT PRIMARY KEY,
  digest TEXT NOT NULL,
  job_id TEXT NOT NULL,
  used_at TEXT NOT NULL
) STRICT;
CREATE INDEX once_keys_by_age ON once_keys (used_at);

CREATE TABLE serve_access (
  ord INTEGER PRIMARY KEY,
  client_id TEXT NOT NULL,
  provider TEXT NOT NULL,
  method TEXT NOT NULL,
  route TEXT NOT NULL,
  status INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT;
CREATE INDEX serve_access_by_age ON serve_access (at);

CREATE TABLE trigger_occurrences (
  occurrence_key TEXT PRIMARY KEY,
  trigger_id TEXT NOT NULL,
  occurrence TEXT NOT NULL,
  taken_at TEXT NOT NULL
) STRICT;
CREATE INDEX trigger_occurrences_by_age ON trigger_occurrences (taken_at);

CREATE TABLE leads (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  lead_until TEXT NOT NULL
) STRICT;

CREATE TABLE canary_counters (
  route_key TEXT NOT NULL,
  version TEXT NOT NULL,
  runs INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  drift_sum REAL NOT NULL,
  drift_count INTEGER NOT NULL,
  window_start TEXT NOT NULL,
  PRIMARY KEY (route_key, version)
) STRICT;
CREATE TABLE canary_results (
  route_key TEXT NOT NULL,
  job_id TEXT NOT NULL,
  PRIMARY KEY (route_key, job_id)
) STRICT;
CREATE TABLE canary_promotions (
  ord INTEGER PRIMARY KEY,
  route_key TEXT NOT NULL,
  n INTEGER NOT NULL,
  topology TEXT NOT NULL,
  weights TEXT NOT NULL,
  old_weights TEXT NOT NULL,
  counters TEXT NOT NULL,
  at TEXT NOT NULL,
  changed_by TEXT NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('promote', 'rollback', 'criteria')),
  UNIQUE (route_key, n)
) STRICT;
CREATE INDEX canary_promotions_by_topology ON canary_promotions (topology, ord);

CREATE TABLE conversations (
  ord INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  topology TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX conversations_by_update ON conversations (updated_at, ord);
CREATE TABLE conversation_turns (
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  n INTEGER NOT NULL,
  job_id TEXT NOT NULL UNIQUE,
  message TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (conversation_id, n)
) STRICT;

CREATE INDEX jobs_by_topology ON jobs (substr(topology, 1, instr(topology || '@', '@') - 1), ord);
CREATE INDEX jobs_by_source ON jobs (source, ord);
CREATE INDEX jobs_waiting ON jobs (topology, created_at, status) WHERE status IN ('pending', 'queued');
CREATE INDEX jobs_sampled ON jobs (completed_at, ord) WHERE status = 'completed' AND attempt = 1;

CREATE TRIGGER serve_access_no_update BEFORE UPDATE ON serve_access BEGIN
  SELECT RAISE(ABORT, 'the access log is append-only');
END;
CREATE TRIGGER serve_access_kept BEFORE DELETE ON serve_access
WHEN OLD.at > (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', max(at), '-365 days') FROM serve_access)
BEGIN
  SELECT RAISE(ABORT, 'the access log is append-only');
END;
CREATE TRIGGER serve_access_no_replace BEFORE INSERT ON serve_access
WHEN EXISTS (SELECT 1 FROM serve_access WHERE ord = NEW.ord)
BEGIN
  SELECT RAISE(ABORT, 'the access log is append-only');
END;
`;
