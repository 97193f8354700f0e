import { KitError } from '../domain/errors.js';
import type { RunEvent } from '../domain/events.js';
import type { Fence } from '../domain/job.js';
import type { DiscardedResult, RunEnd, RunWrite } from '../domain/journal.js';
import { encodeFigures } from './kept-figures.js';

/** What the row of a job says once its run has ended: the parameters of END_JOB. */
export function endJobParams(
  { jobId, attempt }: Fence,
  { end, figures }: Extract<RunWrite, { op: 'run.ended' }>,
  diffsSha256: string | null,
): Readonly<Record<string, string | number | null>> {
  return {
    jobId,
    status: end.status,
    reason: end.reason,
    error: end.error,
    output: end.output,
    usage: end.usage === null ? null : JSON.stringify(end.usage),
    diffLength: end.diffs === null ? null : Object.values(end.diffs).reduce((sum, diff) => sum + diff.length, 0),
    diffsSha256,
    figures: encodeFigures(attempt, figures),
  };
}

/**
 * A stopped run goes on from its results, so none of them may go. Throws KIT_INTERNAL: the caller
 * is wrong.
 */
export function requireDiscardable(end: RunEnd, discard: readonly DiscardedResult[]): void {
  if (discard.length > 0 && end.status === 'stopped')
    throw new KitError('KIT_INTERNAL', 'a stopped run keeps its results: it can go on');
}

/** What a run that meant to park leaves in the log when it ends as stopped instead. */
export const withoutPark = (events: readonly RunEvent[]): readonly RunEvent[] =>
  events.filter((event) => event.type !== 'run.parked');
