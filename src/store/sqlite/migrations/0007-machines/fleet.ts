/**
 * A row for each server and worker that works on this database, written by itself every few
 * seconds; `offers` is JSON. The index holds what a claim looks at of the jobs that wait, so that
 * finding the kinds that nobody can claim costs an entry a kind.
 */
export const FLEET = `
CREATE TABLE fleet_members (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  hostname TEXT NOT NULL,
  pid INTEGER NOT NULL,
  version TEXT NOT NULL,
  engine INTEGER NOT NULL,
  job_class TEXT NOT NULL,
  concurrency INTEGER NOT NULL,
  active INTEGER NOT NULL,
  offers TEXT NOT NULL,
  started_at TEXT NOT NULL,
  beat_at TEXT NOT NULL
) STRICT;
CREATE INDEX fleet_members_by_beat ON fleet_members (beat_at);
CREATE INDEX jobs_waiting_kinds ON jobs (engine, job_class, needs, status) WHERE status IN ('pending', 'queued');`;
