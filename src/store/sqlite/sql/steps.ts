import { produced } from '../../sql/steps.js';
import { RUN_OF } from './run-of.js';

/** In the order they were started; a repeated step keeps its place. */
export const LOAD_STEPS = `SELECT * FROM steps WHERE run = ${RUN_OF} ORDER BY ord`;

/** Of several runs at once: their numbers, by which the journal is indexed. */
export const LOAD_PRODUCED = produced(
  'run IN (SELECT ord FROM jobs WHERE id IN (SELECT value FROM json_each(@jobIds)))',
);

/**
 * A row that is in doubt is started again in place; one with an outcome is left alone (no row
 * changes, and the caller refuses).
 */
export const START_STEP = `
INSERT INTO step_rows (run, key, kind, identity, effects, on_in_doubt, attempt, step_id, outcome, outcome_sha256, notes, usage, units, agent_id, started_at, ended_at)
VALUES (@run, @key, @kind, @identity, @effects, @on_in_doubt, @attempt, @step_id, @outcome, @outcome_sha256, @notes, @usage, @units, @agent_id, @started_at, @ended_at)
ON CONFLICT (run, key) DO UPDATE SET
  kind = excluded.kind, identity = excluded.identity, effects = excluded.effects, on_in_doubt = excluded.on_in_doubt, attempt = excluded.attempt,
  step_id = excluded.step_id, outcome = excluded.outcome, outcome_sha256 = excluded.outcome_sha256, notes = excluded.notes, usage = excluded.usage,
  units = excluded.units, agent_id = excluded.agent_id, started_at = excluded.started_at, ended_at = excluded.ended_at
WHERE step_rows.outcome IS NULL AND step_rows.outcome_sha256 IS NULL`;

export const READ_OPEN_NOTES =
  'SELECT notes FROM steps WHERE run = @run AND key = @key AND outcome IS NULL AND outcome_sha256 IS NULL';
export const SET_NOTES = 'UPDATE step_rows SET notes = @notes WHERE run = @run AND key = @key';

export const END_STEP = `
UPDATE step_rows SET outcome = @outcome, outcome_sha256 = @outcomeSha256, usage = @usage, units = @units, ended_at = @endedAt
WHERE run = @run AND key = @key AND outcome IS NULL AND outcome_sha256 IS NULL`;

/** The innermost step that was under way: the one started last. */
export const FIND_STEP_IN_DOUBT =
  'SELECT key FROM steps WHERE run = @run AND outcome IS NULL AND outcome_sha256 IS NULL ORDER BY ord DESC LIMIT 1';
