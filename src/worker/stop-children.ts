import type { StepRow } from '../domain/journal.js';
import type { Log } from '../domain/ports/system.js';
import type { RunFacilities } from './facilities.js';
import { messageOf } from './failure-of.js';

/** Reasons of a call that tell of the end of its child. */
const TOLD: readonly string[] = ['child_failed', 'child_stopped'];

/**
 * Runs that a journal says were asked for, and whose end its run may not have seen: a call can be
 * denied, or too late, while its child goes on.
 */
export const openChildren = (rows: Iterable<StepRow>): readonly string[] =>
  [...rows].flatMap(({ outcome, notes }) =>
    typeof notes.child === 'string' && !tellsOfEnd(outcome) ? [notes.child] : [],
  );

const tellsOfEnd = (outcome: StepRow['outcome']): boolean =>
  outcome !== null && (outcome.status === 'ok' || TOLD.includes(outcome.reason));

/**
 * A run that ends leaves nobody to take what its children find out: they are asked to stop before
 * its end is written, so that a process that dies in between finds them when it goes on. What
 * cannot be asked is a log line; such a child ends by its own limits.
 */
export async function stopChildren(
  facilities: Pick<RunFacilities, 'children'>,
  of: { readonly rows: Iterable<StepRow>; readonly log: Log },
): Promise<void> {
  for (const id of openChildren(of.rows)) {
    await facilities.children
      ?.stop(id)
      .catch((error: unknown) => of.log.warn('a run could not be stopped', { job: id, error: messageOf(error) }));
  }
}
