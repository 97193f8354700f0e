/**
 * The notes stand beside the text of the other dialect. The index of the claim takes two columns
 * in: one of its own would cost each insert and claim.
 */
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
CREATE INDEX fleet_members_by_beat ON fleet_members (beat_at);
DROP INDEX jobs_claimable_needs;
CREATE INDEX jobs_claimable_needs ON jobs (hashtextextended(needs, 0), engine, job_class) WHERE status IN ('pending', 'queued');`;
