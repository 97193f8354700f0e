import { messageOf } from '../domain/errors.js';
import type { StepRow } from '../domain/journal.js';
import type { Log } from '../domain/ports/system.js';
import { remoteNoteOf } from '../engine/skills/remote-note.js';
import type { RunFacilities } from './facilities.js';

/** Reasons of a call that report the end of its child. */
const REPORTED_REASONS: readonly string[] = ['child_failed', 'child_stopped'];

/**
 * Runs that a journal says were asked for, and whose end its run may not have seen: a call can be
 * denied, or too late, while its child goes on.
 */
export const openChildren = (rows: Iterable<StepRow>): readonly string[] =>
  [...rows].flatMap(({ outcome, notes }) =>
    typeof notes.child === 'string' && !reportsEnd(outcome) ? [notes.child] : [],
  );

const reportsEnd = (outcome: StepRow['outcome']): boolean =>
  outcome !== null && (outcome.status === 'ok' || REPORTED_REASONS.includes(outcome.reason));

/**
 * A run that ends leaves nobody to take what its children find out: they are asked to stop before
 * its end is written, so that a process that dies in between finds them when it goes on. What
 * cannot be asked is a log line; such a child ends by its own limits.
 */
export async function stopChildren(
  facilities: Pick<RunFacilities, 'children' | 'remoteAgents'>,
  of: { readonly rows: Iterable<StepRow>; readonly log: Log },
): Promise<void> {
  const rows = [...of.rows];
  for (const id of openChildren(rows)) {
    await facilities.children
      ?.stop(id)
      .catch((error: unknown) => of.log.warn('a run could not be stopped', { job: id, error: messageOf(error) }));
  }
  await cancelTasks(facilities, { rows, log: of.log });
}

/** How long an agent that runs elsewhere is given to take a cancel. */
const CANCEL_MS = 10_000;

/**
 * Tasks of agents that run elsewhere, and whose end the run has not seen: nobody will take what
 * they find out. One that cannot be asked ends by its own limits.
 */
async function cancelTasks(
  { remoteAgents }: Pick<RunFacilities, 'remoteAgents'>,
  { rows, log }: { readonly rows: readonly StepRow[]; readonly log: Log },
): Promise<void> {
  for (const { outcome, notes } of rows) {
    const remote = remoteNoteOf(notes);
    if (outcome !== null || remote?.task == null) continue;
    const { agent, task, url = '', version = '' } = remote;
    await remoteAgents
      ?.cancel({ ...agent, signal: AbortSignal.timeout(CANCEL_MS) }, { url, version }, task)
      .catch((error: unknown) => log.warn('a remote task could not be canceled', { task, error: messageOf(error) }));
  }
}
