import { foldDiffs, foldUsage } from '../../domain/fold-usage.js';
import type { ReviewState } from '../../domain/gates.js';
import { isTerminal, type Job, type Usage } from '../../domain/job.js';
import type { StepRow } from '../../domain/journal.js';
import type { Stores } from '../../domain/ports/stores.js';
import { gateWait } from '../../govern/approval/gate-wait.js';
import { itemWait } from '../../govern/approval/item-wait.js';
import { isOpen } from '../../govern/approval/rules.js';

type Read = Pick<Stores, 'runs' | 'reviews'>;

/** The row of a run that has come to its end says all of it; it is written with the end. */
const isWhole = ({ status, startedAt }: Job): boolean => isTerminal(status) || startedAt === null;

/**
 * A job as it stands now: a run that goes on, waits or was stopped has used and changed something
 * already, which its journal holds, and people may have decided part of what it waits for.
 */
export async function jobSoFar(stores: Read, job: Job): Promise<Job> {
  if (isWhole(job)) return job;
  const [rows, state] = await Promise.all([
    stores.runs.produced(job.id),
    job.status === 'deferred' ? stores.reviews.state(job.id) : null,
  ]);
  return {
    ...job,
    usage: foldUsage(rows),
    diffLength: lengthOf(foldDiffs(rows)),
    ...(state === null ? {} : { error: waitText(job, state) }),
  };
}

/**
 * The same of a page of a list, in as many statements as of one: the stores put together what is
 * asked in one turn.
 */
export const jobsSoFar = (stores: Read, jobs: readonly Job[]): Promise<readonly Job[]> =>
  Promise.all(jobs.map((job) => jobSoFar(stores, job)));

/** What the run has used so far; null: it has not begun. */
export async function usageSoFar(stores: Pick<Stores, 'runs'>, job: Job): Promise<Usage | null> {
  return isWhole(job) ? job.usage : foldUsage(await stores.runs.produced(job.id));
}

/** What harnesses of the run changed so far, by agent; null when none ran. */
export async function diffsSoFar(
  stores: Pick<Stores, 'runs' | 'jobs'>,
  job: Job,
): Promise<Readonly<Record<string, string>> | null> {
  if (isWhole(job)) return stores.jobs.diffs(job.id);
  const rows: readonly StepRow[] = await stores.runs.produced(job.id);
  return foldDiffs(rows);
}

const lengthOf = (diffs: Readonly<Record<string, string>> | null): number | null =>
  diffs === null ? null : Object.values(diffs).reduce((sum, diff) => sum + diff.length, 0);

/**
 * Whom a parked run waits for. A wait that is not a gate and no item is another run, whose words
 * stand in the row: it is left as it is.
 */
function waitText(job: Job, state: ReviewState): string | null {
  const open: string[] = [];
  for (const id of job.waitingOn) {
    const gate = state.gates.findLast((one) => one.gateId === id);
    const item = state.items.find((one) => one.id === id);
    if (gate === undefined && item === undefined) return job.error;
    if (gate?.status === 'pending' && !gate.withdrawn) open.push(gateWait(state, gate).text);
    if (item !== undefined && isOpen(item)) open.push(itemWait(item).text);
  }
  return open.length === 0
    ? 'everything is decided: the run goes on when it is resumed'
    : `awaiting review: ${open.join('; ')}`;
}
