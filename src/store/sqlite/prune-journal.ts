import { prunedOutcome, type StepOutcome } from '../../domain/journal.js';
import type { PruneReport, PruneRequest } from '../../domain/ports/stores.js';
import { isoAt, type SqliteDeps } from './deps.js';
import {
  ADD_CANDIDATE,
  DROP_PROMPTS,
  FIND_RESULT,
  JOBS_TO_PRUNE,
  MARK_JOB_PRUNED,
  PRUNE_RESULT,
  RESULTS_TO_PRUNE,
} from './sql/retention.js';
import type { SqlRunner } from './sql-runner.js';

/**
 * Rows of one write: with the largest inline results (64 KiB each) a slice stays below 50 ms
 * (docs/design/journal.md#sqlite; measured: 2 ms).
 */
const SLICE_ROWS = 24;

interface ResultRow {
  readonly ord: number;
  readonly outcome_sha256: string | null;
  readonly status: string | null;
  readonly reason: string | null;
}

/**
 * Prunes ended jobs, a slice at a time: what is to go is read outside the write lock, and an ended
 * job does not change.
 */
export async function pruneJobs(deps: SqliteDeps, request: PruneRequest): Promise<PruneReport> {
  const { endedBefore, limit } = request;
  const due = await deps.read((sql) => sql.all<{ id: string }>(JOBS_TO_PRUNE, { endedBefore, limit: limit + 1 }));
  const jobs = due.slice(0, limit);
  for (const { id } of jobs) while (!(await pruneSlice(deps, id)));
  return { jobs: jobs.length, more: due.length > limit };
}

/** True when nothing of the job is left to prune; the job is then marked in the same write. */
async function pruneSlice(deps: SqliteDeps, jobId: string): Promise<boolean> {
  const rows = await deps.read((sql) => sql.all<ResultRow>(RESULTS_TO_PRUNE, { jobId, limit: SLICE_ROWS }));
  const left = await Promise.all(
    rows.map(async (row) => ({ row, outcome: prunedOutcome(await verdictOf(deps, row)) })),
  );
  const isLast = rows.length < SLICE_ROWS;
  return deps.queue.run(['run.prune'], (sql) => {
    const now = isoAt(deps.clock.now());
    for (const { row, outcome } of left) prune(sql, { ...row, outcome, now });
    if (isLast) {
      sql.run(MARK_JOB_PRUNED, { jobId, now });
      sql.run(DROP_PROMPTS, { jobId });
    }
    return isLast;
  });
}

/**
 * Status and reason alone; of a large result they lie in its blob. One whose blob is gone says so.
 */
async function verdictOf(deps: SqliteDeps, row: ResultRow): Promise<StepOutcome> {
  if (row.outcome_sha256 === null) {
    return row.status === 'ok'
      ? { status: 'ok', value: null }
      : { status: 'failed', reason: row.reason ?? 'unknown', message: '' };
  }
  const bytes = await deps.blobs.get(row.outcome_sha256).catch(() => null);
  // Written by `step.ended` from a value of this type.
  return bytes === null
    ? { status: 'failed', reason: 'unknown', message: '' }
    : (JSON.parse(new TextDecoder().decode(bytes)) as StepOutcome);
}

interface Prune {
  readonly ord: number;
  readonly outcome_sha256: string | null;
  readonly outcome: StepOutcome;
  readonly now: string;
}

function prune(sql: SqlRunner, { ord, outcome_sha256: sha256, outcome, now }: Prune): void {
  if (sql.run(PRUNE_RESULT, { ord, outcome: JSON.stringify(outcome), now }) > 0 && sha256 !== null)
    sql.run(ADD_CANDIDATE, { sha256, now });
}

/** Removes one result in the write that has just ended its job. False when there is none. */
export function discardResult(
  sql: SqlRunner,
  of: { readonly run: number; readonly key: string; readonly outcome: StepOutcome; readonly now: string },
): boolean {
  const row = sql.get<{ ord: number; outcome_sha256: string | null }>(FIND_RESULT, { run: of.run, key: of.key });
  if (row !== undefined) prune(sql, { ...row, outcome: of.outcome, now: of.now });
  return row !== undefined;
}
