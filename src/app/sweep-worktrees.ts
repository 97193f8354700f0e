import { isTerminal } from '../domain/job.js';
import type { Stores } from '../domain/ports/stores.js';

/**
 * Removes worktrees of this workspace whose process died and that `isWanted` does not keep; answers
 * their paths.
 */
export type SweepWorktrees = (
  isWanted: (path: string, jobId: string | null) => Promise<boolean>,
) => Promise<readonly string[]>;

/**
 * Clears away what killed runs left behind. A worktree that an open step of an unfinished run noted
 * stays: whoever takes that run over goes on in it (docs/design/journal.md#harness-sessions). So
 * does that of an answer which its agent may yet have to correct, or which waits for people.
 */
export function sweepLeftWorktrees(
  stores: Pick<Stores, 'jobs' | 'runs'>,
  sweep: SweepWorktrees,
): Promise<readonly string[]> {
  return sweep(async (path, jobId) => {
    const job = jobId === null ? null : await stores.jobs.get(jobId);
    if (job === null || isTerminal(job.status)) return false;
    const rows = await stores.runs.load(job.id);
    const ended = new Set(rows.flatMap((row) => (row.outcome === null ? [] : [row.key])));
    return rows.some(({ key, notes }) => notes.worktree === path && !(ended.has(key) && ended.has(activationOf(key))));
  });
}

/** Key of the activation that a session belongs to. */
const activationOf = (key: string): string => key.replace(/\/d\d+\/(?:x|s\d+)$/, '');
