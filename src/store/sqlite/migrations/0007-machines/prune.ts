/**
 * Removal of whole runs after `storage.audit.retention_days`, and what stays of them. Notes on what
 * is not obvious:
 * - `pruned_runs` is the only way to remove audit. A row is taken in when it tells the truth about
 *   what the log holds of the run (no event lies behind its last one, none is uncounted), the run
 *   is over and nobody is asked about it. It is never changed or removed.
 * - `is_open` permits it: 1 only inside a transaction that removes rows of that run, so no other
 *   connection ever sees it. `is_done`: nothing is left, and it cannot be permitted again.
 * - `last_pos`: an event up to this position may be gone, which is what a reader with an older
 *   cursor is told.
 * - `pruned_access` is the same for the access log: lines before `before` may go while it is open.
 * - `jobs_pruned_id`: an id is used once, also when its run is gone.
 */
export const PRUNE = `
CREATE TABLE pruned_runs (
  job_id TEXT PRIMARY KEY,
  topology TEXT NOT NULL,
  status TEXT NOT NULL,
  last_seq INTEGER NOT NULL,
  last_hash TEXT NOT NULL,
  last_pos INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  ended_at TEXT NOT NULL,
  pruned_at TEXT NOT NULL,
  digest TEXT NOT NULL,
  is_open INTEGER NOT NULL,
  is_done INTEGER NOT NULL
) STRICT;
CREATE INDEX pruned_runs_by_pos ON pruned_runs (last_pos);
CREATE INDEX pruned_runs_undone ON pruned_runs (job_id) WHERE is_done = 0;
CREATE TABLE pruned_access (
  ord INTEGER PRIMARY KEY,
  before TEXT NOT NULL,
  lines INTEGER NOT NULL,
  pruned_at TEXT NOT NULL,
  is_open INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_over ON jobs (coalesce(completed_at, parked_at), ord) WHERE status IN ('completed', 'failed', 'stopped');
CREATE INDEX canary_results_by_job ON canary_results (job_id);

CREATE TRIGGER pruned_runs_true BEFORE INSERT ON pruned_runs
WHEN EXISTS (SELECT 1 FROM pruned_runs WHERE job_id = NEW.job_id)
  OR EXISTS (SELECT 1 FROM jobs WHERE id = NEW.job_id AND status NOT IN ('completed', 'failed'))
  OR EXISTS (SELECT 1 FROM gates WHERE job_id = NEW.job_id AND status = 'pending' AND withdrawn = 0)
  OR EXISTS (SELECT 1 FROM review_items WHERE job_id = NEW.job_id AND status = 'pending' AND stale = 0 AND withdrawn = 0)
  OR EXISTS (
    SELECT 1 FROM jobs JOIN events ON events.run = jobs.ord
    WHERE jobs.id = NEW.job_id AND events.seq >= NEW.last_seq
      AND (events.seq > NEW.last_seq OR events.hash <> NEW.last_hash OR events.pos <> NEW.last_pos)
  )
  OR NEW.event_count < (SELECT count(*) FROM jobs JOIN events ON events.run = jobs.ord WHERE jobs.id = NEW.job_id)
BEGIN
  SELECT RAISE(ABORT, 'a run is removed when it is over, and the log keeps what it held');
END;
CREATE TRIGGER pruned_runs_kept BEFORE UPDATE ON pruned_runs
WHEN OLD.is_done = 1
  OR (NEW.job_id, NEW.topology, NEW.status, NEW.last_seq, NEW.last_hash, NEW.last_pos, NEW.event_count, NEW.ended_at, NEW.pruned_at, NEW.digest)
    IS NOT (OLD.job_id, OLD.topology, OLD.status, OLD.last_seq, OLD.last_hash, OLD.last_pos, OLD.event_count, OLD.ended_at, OLD.pruned_at, OLD.digest)
BEGIN
  SELECT RAISE(ABORT, 'what is kept of a removed run is never changed');
END;
CREATE TRIGGER pruned_runs_no_delete BEFORE DELETE ON pruned_runs BEGIN
  SELECT RAISE(ABORT, 'what is kept of a removed run is never changed');
END;
CREATE TRIGGER jobs_pruned_id BEFORE INSERT ON jobs WHEN EXISTS (SELECT 1 FROM pruned_runs WHERE job_id = NEW.id) BEGIN
  SELECT RAISE(IGNORE);
END;

DROP TRIGGER events_no_delete;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events
WHEN NOT EXISTS (SELECT 1 FROM pruned_runs WHERE job_id = OLD.job_id AND is_open = 1)
BEGIN
  SELECT RAISE(ABORT, 'the event log is append-only');
END;
DROP TRIGGER gates_no_delete;
CREATE TRIGGER gates_no_delete BEFORE DELETE ON gates
WHEN NOT EXISTS (SELECT 1 FROM pruned_runs WHERE job_id = OLD.job_id AND is_open = 1)
BEGIN
  SELECT RAISE(ABORT, 'gates are never deleted');
END;
DROP TRIGGER items_no_delete;
CREATE TRIGGER items_no_delete BEFORE DELETE ON review_items
WHEN NOT EXISTS (SELECT 1 FROM pruned_runs WHERE job_id = OLD.job_id AND is_open = 1)
BEGIN
  SELECT RAISE(ABORT, 'review items are never deleted');
END;
DROP TRIGGER decisions_no_delete;
CREATE TRIGGER decisions_no_delete BEFORE DELETE ON decisions
WHEN NOT EXISTS (SELECT 1 FROM pruned_runs WHERE job_id = OLD.job_id AND is_open = 1)
BEGIN
  SELECT RAISE(ABORT, 'decisions are append-only');
END;
DROP TRIGGER serve_access_kept;
CREATE TRIGGER serve_access_kept BEFORE DELETE ON serve_access
WHEN NOT EXISTS (SELECT 1 FROM pruned_access WHERE is_open = 1 AND OLD.at < before)
BEGIN
  SELECT RAISE(ABORT, 'the access log is append-only');
END;
CREATE INDEX pruned_access_open ON pruned_access (before) WHERE is_open = 1;`;
