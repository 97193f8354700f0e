/**
 * What is remembered. Notes on what is not obvious:
 * - `space` is `shared` for what people wrote or accepted, and `own:<identity>` for what came out
 *   of the runs of one submitter: an entry lies in one of them, its words with it, so a read that
 *   is given two spaces cannot reach a third.
 * - `id` is the digest of space, subject and attribute: one entry a key.
 * - `memory_words` is the full-text index, as rows: it is the same in both dialects, moves with the
 *   store like every table, and begins with the space, so what others remember costs a reader
 *   nothing.
 * - `write_id` names one write of one candidate; a run that goes on after a crash does not count it
 *   twice.
 */
export const MEMORY = `CREATE TABLE memories (
  id TEXT PRIMARY KEY,
  space TEXT NOT NULL,
  subject TEXT NOT NULL,
  attribute TEXT NOT NULL,
  value TEXT NOT NULL,
  type TEXT NOT NULL,
  confidence REAL NOT NULL,
  origin TEXT NOT NULL,
  owner TEXT NOT NULL,
  source TEXT NOT NULL,
  session TEXT,
  job_id TEXT,
  valid_from TEXT NOT NULL,
  reinforced_at TEXT NOT NULL,
  reinforce_count INTEGER NOT NULL
) STRICT;
CREATE INDEX memories_by_space ON memories (space, confidence DESC, id);
CREATE TABLE memory_words (
  space TEXT NOT NULL,
  word TEXT NOT NULL,
  memory TEXT NOT NULL,
  PRIMARY KEY (space, word, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_words_by_memory ON memory_words (memory);
CREATE TABLE memory_changes (
  memory TEXT NOT NULL,
  n INTEGER NOT NULL,
  write_id TEXT NOT NULL,
  op TEXT NOT NULL,
  value_before TEXT,
  value_after TEXT NOT NULL,
  reason TEXT NOT NULL,
  decided_by TEXT NOT NULL,
  quarantine TEXT,
  at TEXT NOT NULL,
  PRIMARY KEY (memory, n)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX memory_changes_once ON memory_changes (write_id);
CREATE TABLE memory_quarantine (
  id TEXT PRIMARY KEY,
  space TEXT NOT NULL,
  memory TEXT NOT NULL,
  owner TEXT NOT NULL,
  candidate TEXT NOT NULL,
  current_value TEXT NOT NULL,
  reason TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at TEXT NOT NULL,
  resolved_at TEXT,
  resolved_by TEXT,
  comment TEXT
) STRICT;
CREATE INDEX memory_quarantine_by_space ON memory_quarantine (space, status, created_at);`;
