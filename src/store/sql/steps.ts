/** Statements about steps that are the same text in both dialects. */

/**
 * What a run has used and changed so far: steps with usage, and sessions of harnesses. Results of
 * other steps are left out: nobody asks for them, and they may be large.
 */
export const produced = (ofRun: string): string => `
SELECT job_id, key, kind, identity, effects, on_in_doubt, attempt, step_id, notes, usage, units, agent_id, started_at, ended_at, pruned_at,
  CASE WHEN kind = 'harness' THEN outcome END AS outcome, CASE WHEN kind = 'harness' THEN outcome_sha256 END AS outcome_sha256
FROM steps WHERE ${ofRun} AND (usage IS NOT NULL OR kind = 'harness') ORDER BY ord`;
