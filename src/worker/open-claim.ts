import { type Fence, isTerminal, type Job } from '../domain/job.js';
import type { RunEnd, StepRow } from '../domain/journal.js';
import type { Stores } from '../domain/ports/stores.js';
import type { RunSnapshot } from '../domain/snapshot.js';
import type { RunFacilities } from './facilities.js';
import { failureOf } from './failure-of.js';
import type { RunJobDeps } from './run-job-deps.js';
import { decodeSnapshot } from './snapshot.js';
import { isStoreTrouble } from './store-errors.js';

/** All that one claim of a job is executed with. */
export interface Claimed {
  readonly job: Job;
  readonly fence: Fence;
  readonly leaseAtMs: number;
  /** Epoch milliseconds by the store's clock. */
  readonly storeNow: () => number;
  readonly snapshot: RunSnapshot;
  readonly facilities: RunFacilities;
  /** The journal as it was at the claim. */
  readonly rows: readonly StepRow[];
}

export type OpenClaimDeps = Pick<RunJobDeps, 'stores' | 'open' | 'readSnapshot' | 'isDeclined' | 'assertIntact'> &
  Pick<Claimed, 'storeNow'>;

type Opening =
  | ({ readonly kind: 'opened' } & Pick<Claimed, 'snapshot' | 'facilities' | 'rows'>)
  | { readonly kind: 'refused'; readonly end: RunEnd }
  | { readonly kind: 'declined' };

/**
 * What a claimed run needs before its first step. A run that cannot be opened ends with its reason:
 * it would otherwise look alive until its lease is over. One that has done work already is stopped,
 * so that it can go on once the cause is fixed. Declined: another process may open it.
 */
export async function openClaim(deps: OpenClaimDeps, job: Job): Promise<Opening> {
  let rows: readonly StepRow[] | null = null;
  try {
    if (await isOrphaned(deps.stores, job)) return { kind: 'refused', end: orphanedEnd(deps, job) };
    // Only a claim writes a journal, and this is the first.
    rows = job.attempt === 1 ? [] : await deps.stores.runs.load(job.id);
    if (rows.some(isAsked)) await deps.assertIntact?.(job);
    const snapshot = await (deps.readSnapshot ?? decodeSnapshot)(deps.stores.blobs, job);
    return { kind: 'opened', rows, snapshot, facilities: await deps.open(job, snapshot) };
  } catch (error) {
    if (isStoreTrouble(error)) throw error;
    if (await deps.isDeclined?.(job, error)) return { kind: 'declined' };
    return { kind: 'refused', end: refusedEnd(deps, { job, error, isFresh: rows?.length === 0 }) };
  }
}

/** The run was parked on people: what they decided is read by this claim. */
const isAsked = ({ kind, outcome }: StepRow): boolean => kind === 'gate' && outcome === null;

/**
 * A child that nobody has begun, whose caller has ended or was stopped: the process that was to
 * stop it with its caller died before. One that was begun goes on: a person may have resumed it by
 * itself.
 */
async function isOrphaned({ jobs }: Pick<Stores, 'jobs'>, { callerJobId, attempt }: Job): Promise<boolean> {
  if (callerJobId === null || attempt > 1) return false;
  const caller = await jobs.get(callerJobId);
  return (
    caller !== null && (isTerminal(caller.status) || (caller.status === 'stopped' && caller.stopRequestedAt !== null))
  );
}

const orphanedEnd = (deps: OpenClaimDeps, { callerJobId }: Job): RunEnd => ({
  status: 'stopped',
  reason: 'stop_requested',
  error: `run ${callerJobId}, which asked for it, was over before it began`,
  output: null,
  usage: null,
  diffs: null,
  endedAt: new Date(deps.storeNow()).toISOString(),
});

function refusedEnd(
  deps: OpenClaimDeps,
  of: { readonly job: Job; readonly error: unknown; readonly isFresh: boolean },
): RunEnd {
  const failure = failureOf(of.error);
  return {
    status: of.isFresh && failure.kind === 'failed' ? 'failed' : 'stopped',
    reason: failure.kind === 'failed' ? failure.reason : 'journal_diverged',
    error: failure.message,
    output: null,
    usage: of.job.usage,
    diffs: null,
    endedAt: new Date(deps.storeNow()).toISOString(),
  };
}
