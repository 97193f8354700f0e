import type { Fence } from '../../domain/job.js';
import { ownerOf } from '../event-row.js';
import type { FencedRow } from '../fenced-row.js';
import type { JobRow } from '../job-row.js';
import { leaseLost } from '../refusals.js';
import { type Append, openAppend, type StepEventIds } from './append-events.js';
import type { WriterMemo } from './entry-work.js';
import { CHECK_FENCE } from './sql/jobs.js';
import type { SqlRunner } from './sql-runner.js';

/** What the writer knows of a run under a fence that was found to hold. */
export interface OpenRun {
  readonly fence: Fence;
  readonly append: Append;
  row: FencedRow;
}

const memoKey = (jobId: string): string => `run ${jobId}`;

/**
 * The stop flag of a run that this process writes for, as the writer knows it; null when its row
 * must be asked.
 */
export function knownStop(memo: ReadonlyMap<string, unknown>, jobId: string): boolean | null {
  // Only `rememberRun` writes under such a key.
  const known = memo.get(memoKey(jobId)) as OpenRun | undefined;
  return known === undefined ? null : known.row.stop_requested_at !== null;
}

/**
 * The first batch of a claim looks at the row, unless the entry that inserted the run under it has
 * just done so; the fence then holds for as long as the memo does (write-queue.ts). Throws
 * KIT_LEASE_LOST.
 */
export function openRun(
  sql: SqlRunner,
  memo: WriterMemo,
  { fence, stepEvents }: { readonly fence: Fence; readonly stepEvents: StepEventIds },
): OpenRun {
  // Only `rememberRun` writes under such a key.
  const known = memo.get(memoKey(fence.jobId)) as OpenRun | undefined;
  if (known !== undefined && isSameFence(known.fence, fence)) return known;
  const row = sql.get<FencedRow>(CHECK_FENCE, { ...fence });
  if (row === undefined) throw leaseLost(fence);
  const owner = ownerOf({ ...row, id: fence.jobId });
  return rememberRun(memo, { fence, row, append: openAppend(sql, owner, stepEvents) });
}

/**
 * A run that was inserted in this very transaction. Under a claim its row and the end of its chain
 * are at hand, and its first batch asks for neither. Gives the row back.
 */
export function rememberClaimed(memo: WriterMemo, row: JobRow, append: Append): JobRow {
  const { id, ord, labels, correlation_id, crashes, topology, worker_id, attempt } = row;
  const { stop_requested_at, stop_requested_by, caller_job_id } = row;
  if (row.status !== 'running' || worker_id === null) return row;
  const asked = { stop_requested_at, stop_requested_by, caller_job_id };
  const fenced = { ord, labels, correlation_id, crashes, topology, ...asked };
  rememberRun(memo, { fence: { jobId: id, workerId: worker_id, attempt }, row: fenced, append });
  return row;
}

/** The row was read in this very transaction, and the fence is that of its claim. */
function rememberRun(memo: WriterMemo, run: OpenRun): OpenRun {
  memo.set(memoKey(run.fence.jobId), run);
  return run;
}

/** Its lease is over: whatever comes after is to be refused. */
export const forgetRun = (memo: WriterMemo, jobId: string): boolean => memo.delete(memoKey(jobId));

const isSameFence = (a: Fence, b: Fence): boolean =>
  a.jobId === b.jobId && a.workerId === b.workerId && a.attempt === b.attempt;
