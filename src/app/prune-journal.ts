import type { RunStore } from '../domain/ports/stores.js';
import type { Clock } from '../domain/ports/system.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const JOBS_AT_ONCE = 10;
/** Nobody waits longer for this after a run: what is left goes after the next one. */
const MAX_MS = 2000;

/** What `pruneJournal` needs of the world. */
export interface PruneDeps {
  readonly stores: { readonly runs: Pick<RunStore, 'prune'> };
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Removes the results of runs that ended more than `journalDays` days ago (`storage.journal_days`,
 * default 7; 0 = at once); keys, identities, usage and events stay
 * (docs/design/journal.md#retention). Answers how many runs were pruned. Takes about 2 s at most.
 */
export async function pruneJournal(deps: PruneDeps, journalDays: number): Promise<number> {
  const startedMs = deps.clock.now();
  const endedBefore = new Date(Math.max(0, startedMs - journalDays * DAY_MS)).toISOString();
  let jobs = 0;
  for (let more = true; more && deps.clock.now() - startedMs < MAX_MS; ) {
    const report = await deps.stores.runs.prune({ endedBefore, limit: JOBS_AT_ONCE });
    jobs += report.jobs;
    more = report.more;
  }
  return jobs;
}
