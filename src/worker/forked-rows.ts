import { KitError } from '../domain/errors.js';
import type { Job } from '../domain/job.js';
import type { StepRow } from '../domain/journal.js';
import { takenOver } from '../domain/taken-over.js';
import { stepUnknown } from './step-unknown.js';

/**
 * True for a step that another one holds: keys are paths (docs/design/journal.md#keys). A model
 * call is over before the calls that it asked for begin.
 */
export const isInside = (key: string, outer: StepRow): boolean =>
  outer.kind !== 'model' && key.startsWith(`${outer.key}/`);

/**
 * The rows of a run that a fork begins with: everything that was finished before the step `from`
 * began, so that the interpreter goes on at that step. What encloses it is open again. What people
 * decided stays with the run in which they decided: a gate or a question is asked anew, and so is
 * whatever holds one (docs/design/journal.md#live). Steps keep what they used, so that the budget
 * of the fork is that of the run; its own usage does not count them.
 *
 * Throws KIT_STEP_UNKNOWN, and KIT_JOURNAL_PRUNED when a result that the fork needs was removed.
 */
export function forkedRows(
  job: Job,
  rows: readonly StepRow[],
  of: { readonly from: string; readonly jobId: string },
): readonly StepRow[] {
  const { from, jobId } = of;
  const at = rows.findIndex((row) => row.key === from);
  if (at < 0) throw stepUnknown(job.id, { rows, step: from, flag: '--from' });
  const isAsked = askedAnew(rows);
  const kept = rows.slice(0, at).filter((row) => row.outcome !== null && !isInside(from, row) && !isAsked(row));
  const [gone] = prunedAmong(kept);
  if (gone !== undefined) throw pruned(job, gone, from);
  return kept.filter((row) => row.prunedAt === undefined).map((row) => takenOver(row, jobId));
}

/** True for what people are asked anew, and for whatever holds it. */
export function askedAnew(rows: readonly StepRow[]): (row: StepRow) => boolean {
  const gates = rows.filter((row) => row.kind === 'gate').map((row) => row.key);
  return (row) => gates.some((gate) => gate === row.key || isInside(gate, row));
}

/** Rows that are needed and whose results are gone: below a result that is there nobody looks. */
export const prunedAmong = (kept: readonly StepRow[]): readonly StepRow[] =>
  kept.filter((row) => row.prunedAt !== undefined && !kept.some((outer) => isInside(row.key, outer)));

const pruned = (job: Job, { key, prunedAt }: StepRow, from: string): KitError =>
  new KitError(
    'KIT_JOURNAL_PRUNED',
    `run ${job.id} cannot be forked from ${from}: the result of ${key}, which comes before, was removed at ${prunedAt}`,
    {
      hint: 'Results stay for storage.journal_days (default 7) after the end of a run; run the work again with --supersedes.',
      data: { job_id: job.id, step: key },
    },
  );
