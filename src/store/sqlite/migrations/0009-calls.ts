/**
 * Calls of models refer to those before them: a row holds what is new of its conversation.
 * `conversation` names it within a run and is null in rows of before, which hold their whole
 * prompts; `said` is how many messages it has told with this row; `follows` is what the row before
 * told, and null where the row holds its whole prompt. The table is made anew, so that all of it
 * stands before the texts.
 */
export const CALLS = `ALTER TABLE prompts RENAME TO prompts_before;
DROP INDEX prompts_by_job;
CREATE TABLE prompts (
  ord INTEGER PRIMARY KEY,
  job_id TEXT NOT NULL,
  conversation TEXT,
  follows INTEGER,
  said INTEGER,
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
INSERT INTO prompts (ord, job_id, step_key, agent_id, skill_id, purpose, provider, model, tries, asked_at, duration_ms, bytes, prompt, answer)
SELECT ord, job_id, step_key, agent_id, skill_id, purpose, provider, model, tries, asked_at, duration_ms, bytes, prompt, answer FROM prompts_before;
DROP TABLE prompts_before;
CREATE INDEX prompts_by_job ON prompts (job_id, ord);`;
