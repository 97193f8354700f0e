/**
 * The newest calls of models with what was asked, for `kit debug`: bounded by count, bytes and age
 * with each write. The order of insertion is that of the ring. `bytes` stands before the texts, so
 * that the bounds are found without reading them.
 */
export const PROMPTS = `CREATE TABLE prompts (
  ord INTEGER PRIMARY KEY,
  job_id TEXT NOT NULL,
  step_key TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  skill_id TEXT,
  purpose TEXT NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  tries INTEGER NOT NULL,
  asked_at TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  prompt TEXT NOT NULL,
  answer TEXT NOT NULL
) STRICT;
CREATE INDEX prompts_by_job ON prompts (job_id, ord);`;
