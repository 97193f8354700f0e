/** The notes stand beside the text of the other dialect. */
export const MEMORY = `CREATE TABLE memories (
  id TEXT COLLATE "C" PRIMARY KEY,
  space TEXT COLLATE "C" NOT NULL,
  subject TEXT NOT NULL,
  attribute TEXT NOT NULL,
  value TEXT NOT NULL,
  type TEXT NOT NULL,
  confidence DOUBLE PRECISION NOT NULL,
  origin TEXT NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  source TEXT NOT NULL,
  session TEXT,
  job_id TEXT,
  valid_from TEXT COLLATE "C" NOT NULL,
  reinforced_at TEXT COLLATE "C" NOT NULL,
  reinforce_count BIGINT NOT NULL
);
CREATE INDEX memories_by_space ON memories (space, confidence DESC, id);
CREATE TABLE memory_words (
  space TEXT COLLATE "C" NOT NULL,
  word TEXT COLLATE "C" NOT NULL,
  memory TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (space, word, memory)
);
CREATE INDEX memory_words_by_memory ON memory_words (memory);
CREATE TABLE memory_changes (
  memory TEXT COLLATE "C" NOT NULL,
  n BIGINT NOT NULL,
  write_id TEXT COLLATE "C" NOT NULL,
  op TEXT NOT NULL,
  value_before TEXT,
  value_after TEXT NOT NULL,
  reason TEXT NOT NULL,
  decided_by TEXT NOT NULL,
  quarantine TEXT,
  at TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (memory, n)
);
CREATE UNIQUE INDEX memory_changes_once ON memory_changes (write_id);
CREATE TABLE memory_quarantine (
  id TEXT COLLATE "C" PRIMARY KEY,
  space TEXT COLLATE "C" NOT NULL,
  memory TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  candidate TEXT NOT NULL,
  current_value TEXT NOT NULL,
  reason TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  resolved_at TEXT,
  resolved_by TEXT,
  comment TEXT
);
CREATE INDEX memory_quarantine_by_space ON memory_quarantine (space, status, created_at);`;
