import type { StepRow } from './journal.js';

/** Note of a step that another run carried out: the id of that run. */
const TAKEN_FROM = 'taken_from';

/**
 * The row as the run `jobId` begins with it. What it cost counts for the limits of that run too,
 * and for the usage of the run that paid it alone.
 */
export function takenOver(row: StepRow, jobId: string): StepRow {
  return isTakenOver(row) ? { ...row, jobId } : { ...row, jobId, notes: { ...row.notes, [TAKEN_FROM]: row.jobId } };
}

/** The run that carried the step out; null = this one did. */
export const takenFrom = ({ notes }: Pick<StepRow, 'notes'>): string | null => {
  const from = notes[TAKEN_FROM];
  return typeof from === 'string' ? from : null;
};

export const isTakenOver = ({ notes }: Pick<StepRow, 'notes'>): boolean => Object.hasOwn(notes, TAKEN_FROM);
