/** Statements about conversations, the same text in both dialects; named parameters. */

export const ADD_CONVERSATION = `
INSERT INTO conversations (id, topology, created_by, created_at, updated_at) VALUES (@id, @topology, @createdBy, @now, @now)
ON CONFLICT (id) DO NOTHING`;

export const GET_CONVERSATION = 'SELECT * FROM conversations WHERE id = @id';

export const TURNS = 'SELECT * FROM conversation_turns WHERE conversation_id = @id ORDER BY n';

export const LIST_CONVERSATIONS = `
SELECT conversations.*, (SELECT count(*) FROM conversation_turns WHERE conversation_id = conversations.id) AS turns
FROM conversations ORDER BY updated_at DESC, ord DESC LIMIT @limit`;

export const LAST_TURN = `
SELECT conversation_turns.*, jobs.status AS job_status FROM conversation_turns LEFT JOIN jobs ON jobs.id = conversation_turns.job_id
WHERE conversation_id = @id ORDER BY n DESC LIMIT 1`;

export const ADD_TURN = `
INSERT INTO conversation_turns (conversation_id, n, job_id, message, created_at) VALUES (@id, @n, @jobId, @message, @now)
ON CONFLICT (conversation_id, n) DO UPDATE SET job_id = excluded.job_id, message = excluded.message, created_at = excluded.created_at`;

/** Changes nothing for a turn that has its answer. */
export const ANSWER_TURN = `
UPDATE conversation_turns SET answer = @answer, answered_at = @now WHERE job_id = @jobId AND answer IS NULL RETURNING conversation_id`;

export const TOUCH_CONVERSATION = 'UPDATE conversations SET updated_at = @now WHERE id = @id';
