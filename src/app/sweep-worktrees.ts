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
 * stays: whoever takes that run over goes on in it (docs/design/journal.md#harness-sessions).
 */
export function sweepLeftWorktrees(
  stores: Pick<Stores, 'jobs' | 'runs'>,
  sweep: SweepWorktrees,
): Promise<readonly string[]> {
  return sweep(async (path, jobId) => {
    const job = jobId === null ? null : await stores.jobs.get(jobId);
    if (job === null || isTerminal(job.status)) return false;
    const rows = await stores.runs.load(job.id);
    return rows.some((row) => row.outcome === null && row.notes.worktree === path);
  });
}
