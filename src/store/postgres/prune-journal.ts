import { prunedOutcome, type StepOutcome } from '../../domain/journal.js';
import type { PruneReport, PruneRequest } from '../../domain/ports/stores.js';
import type { PostgresDeps } from './deps.js';
import {
  ADD_CANDIDATE,
  DROP_PROMPTS,
  FIND_RESULT,
  JOBS_TO_PRUNE,
  MARK_JOB_PRUNED,
  PRUNE_RESULT,
  RESULTS_TO_PRUNE,
} from './sql/retention.js';
import type { Transaction } from './transaction.js';

/**
 * Rows of one write, as in the other dialect: other writes of the process wait no longer than that.
 */
const SLICE_ROWS = 24;

interface ResultRow {
  readonly ord: number;
  readonly outcome_sha256: string | null;
  readonly outcome: string | null;
}

/**
 * Prunes ended jobs, a slice at a time: what is to go is read before, and an ended job does not
 * change.
 */
export async function pruneJobs(deps: PostgresDeps, request: PruneRequest): Promise<PruneReport> {
  const { endedBefore, limit } = request;
  const due = await deps.read((sql) => sql.all<{ id: string }>(JOBS_TO_PRUNE, { endedBefore, limit: limit + 1 }));
  const jobs = due.slice(0, limit);
  for (const { id } of jobs) while (!(await pruneSlice(deps, id)));
  return { jobs: jobs.length, more: due.length > limit };
}

/** True when nothing of the job is left to prune; the job is then marked in the same write. */
async function pruneSlice(deps: PostgresDeps, jobId: string): Promise<boolean> {
  const rows = await deps.read((sql) => sql.all<ResultRow>(RESULTS_TO_PRUNE, { jobId, limit: SLICE_ROWS }));
  const left = await Promise.all(
    rows.map(async (row) => ({ row, outcome: prunedOutcome(await outcomeOf(deps, row)) })),
  );
  const isLast = rows.length < SLICE_ROWS;
  const work = async (tx: Transaction): Promise<boolean> => {
    for (const { row, outcome } of left) await prune(tx, { ...row, outcome });
    if (isLast) {
      await tx.run(MARK_JOB_PRUNED, { jobId, now: tx.now });
      await tx.run(DROP_PROMPTS, { jobId });
    }
    return isLast;
  };
  return deps.queue.run({ writes: ['run.prune'], jobs: [jobId], work });
}

/** A large result lies in its blob; one whose blob is gone says so. */
async function outcomeOf(deps: PostgresDeps, row: ResultRow): Promise<StepOutcome> {
  const bytes = row.outcome_sha256 === null ? null : await deps.blobs.get(row.outcome_sha256).catch(() => null);
  const text = bytes === null ? row.outcome : new TextDecoder().decode(bytes);
  // Written by `step.ended` from a value of this type.
  return text === null ? { status: 'failed', reason: 'unknown', message: '' } : (JSON.parse(text) as StepOutcome);
}

interface Prune {
  readonly ord: number;
  readonly outcome_sha256: string | null;
  readonly outcome: StepOutcome;
}

async function prune(tx: Transaction, { ord, outcome_sha256: sha256, outcome }: Prune): Promise<void> {
  const { now } = tx;
  const isPruned = (await tx.run(PRUNE_RESULT, { ord, outcome: JSON.stringify(outcome), now })) > 0;
  if (isPruned && sha256 !== null) await tx.run(ADD_CANDIDATE, { sha256, now });
}

/** Removes one result in the write that has just ended its job. False when there is none. */
export async function discardResult(
  tx: Transaction,
  of: { readonly jobId: string; readonly key: string; readonly outcome: StepOutcome },
): Promise<boolean> {
  const row = await tx.get<{ ord: number; outcome_sha256: string | null }>(FIND_RESULT, {
    jobId: of.jobId,
    key: of.key,
  });
  if (row !== undefined) await prune(tx, { ...row, outcome: of.outcome });
  return row !== undefined;
}
