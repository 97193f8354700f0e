/** A row for each server and worker that works on this database, written by itself every few seconds; `offers` is JSON. */
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
CREATE INDEX fleet_members_by_beat ON fleet_members (beat_at);`;
