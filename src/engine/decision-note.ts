import type { StepRow } from '../domain/journal.js';
import type { Decision } from '../domain/ports/governance.js';

type Notes = StepRow['notes'];

/** Nobody decided. */
export const NO_NOTES: Notes = Object.freeze({});
const ALLOWED: Notes = Object.freeze({ decision: Object.freeze({ verdict: 'allow' }) });

/**
 * What a row notes of who decided about its step. A yes without more says the same in every row:
 * the rows of all runs in memory share it.
 */
export function decisionNote(decision: Decision | null): Notes {
  if (decision === null) return NO_NOTES;
  const isPlainYes = decision.verdict === 'allow' && Object.keys(decision).length === 1;
  return isPlainYes ? ALLOWED : { decision };
}
