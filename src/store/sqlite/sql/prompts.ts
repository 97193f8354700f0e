/** The texts last: what the ring is trimmed by is found without reading them. */
export const INSERT_PROMPT = `
INSERT INTO prompts (job_id, conversation, follows, said, step_key, agent_id, skill_id, purpose, provider, model, tries, asked_at, duration_ms, bytes, prompt, answer)
VALUES (@job_id, @conversation, @follows, @said, @step_key, @agent_id, @skill_id, @purpose, @provider, @model, @tries, @asked_at, @duration_ms, @bytes, @prompt, @answer)`;
