/** The notes stand beside the text of the other dialect. */
export const FLEET = `
CREATE TABLE fleet_members (
  id TEXT COLLATE "C" PRIMARY KEY,
  kind TEXT NOT NULL,
  hostname TEXT NOT NULL,
  pid BIGINT NOT NULL,
  version TEXT NOT NULL,
  engine BIGINT NOT NULL,
  job_class TEXT NOT NULL,
  concurrency BIGINT NOT NULL,
  active BIGINT NOT NULL,
  offers TEXT NOT NULL,
  started_at TEXT COLLATE "C" NOT NULL,
  beat_at TEXT COLLATE "C" NOT NULL
);
CREATE INDEX fleet_members_by_beat ON fleet_members (beat_at);`;
