import type { SqlDialect } from '../program.js';

/** Statements about conversations, the same text in both dialects; named parameters. */

export const ADD_CONVERSATION = `
INSERT INTO conversations (id, topology, created_by, shared, created_at, updated_at) VALUES (@id, @topology, @createdBy, @shared, @now, @now)
ON CONFLICT (id) DO NOTHING`;

export const GET_CONVERSATION = 'SELECT * FROM conversations WHERE id = @id';

/** What an identity sees; `@of` null sees everything. */
const IS_SEEN =
  "(CAST(@of AS TEXT) IS NULL OR shared = 1 OR created_by = CAST(@of AS TEXT) OR created_by = 'anonymous')";

export const GET_SEEN_CONVERSATION = `${GET_CONVERSATION} AND ${IS_SEEN}`;

export const conversationIds = ({ pastPrefix }: Pick<SqlDialect, 'pastPrefix'>): string =>
  `SELECT id FROM conversations WHERE id >= @prefix AND id < ${pastPrefix('prefix')} AND ${IS_SEEN} ORDER BY id LIMIT @limit`;

/** Turns with what there is of their runs; one that is being submitted has none yet. */
const BEGUN = `
SELECT t.n, t.job_id, t.message, t.created_at, coalesce(jobs.status, p.status) AS status, jobs.output, coalesce(jobs.completed_at, p.ended_at) AS completed_at,
  p.pruned_at
FROM conversation_turns AS t LEFT JOIN jobs ON jobs.id = t.job_id LEFT JOIN pruned_runs AS p ON p.job_id = t.job_id AND jobs.id IS NULL
WHERE t.conversation_id = @id`;

/** A reader follows a turn by its run: what has none is not shown. */
const TURN = `${BEGUN} AND coalesce(jobs.status, p.status) IS NOT NULL`;

export const TURNS = `${TURN} ORDER BY t.n`;

export const LAST_TURN = `${TURN} ORDER BY t.n DESC LIMIT 1`;

export const LAST_BEGUN_TURN = `${BEGUN} ORDER BY t.n DESC LIMIT 1`;

export const LIST_CONVERSATIONS = `SELECT * FROM conversations WHERE ${IS_SEEN} ORDER BY updated_at DESC, ord DESC LIMIT @limit`;

export const ADD_TURN = `
INSERT INTO conversation_turns (conversation_id, n, job_id, message, created_at) VALUES (@id, @n, @jobId, @message, @now)
ON CONFLICT (conversation_id, n) DO UPDATE SET job_id = excluded.job_id, message = excluded.message, created_at = excluded.created_at`;

/** Only of a run that was never submitted. */
export const GIVE_BACK =
  'DELETE FROM conversation_turns WHERE job_id = @jobId AND NOT EXISTS (SELECT 1 FROM jobs WHERE id = @jobId)';

export const TOUCH_CONVERSATION = 'UPDATE conversations SET updated_at = @now WHERE id = @id';
