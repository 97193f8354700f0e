import { type DiscardedResult, prunedOutcome, type StepOutcome } from '../domain/journal.js';
import type { BlobStore, PruneReport, PruneRequest } from '../domain/ports/stores.js';
import { all, get, type Program, type Programs, run, type Statement } from './program.js';
import { stepRefused } from './refusals.js';
import { ADD_CANDIDATE, DROP_PROMPTS, MARK_JOB_PRUNED } from './sql/retention.js';

/**
 * Rows of one write: with the largest inline results (64 KiB each) a slice stays below 50 ms
 * (docs/design/journal.md#sqlite; measured: 2 ms), and other writes of the process wait no longer.
 */
const SLICE_ROWS = 24;

/** What the result of a step was cannot be told any more. */
export const LOST: StepOutcome = { status: 'failed', reason: 'unknown', message: '' };

export interface StoredResult {
  readonly ord: number;
  readonly outcome_sha256: string | null;
}

/** What the dialects write differently; a result lies in its row or in its blob. */
export interface PruneWords<Row extends StoredResult> {
  readonly JOBS_TO_PRUNE: string;
  readonly RESULTS_TO_PRUNE: string;
  readonly PRUNE_RESULT: string;
  readonly outcomeIn: (row: Row) => StepOutcome;
}

interface Deps<Row extends StoredResult> {
  readonly programs: Programs;
  readonly blobs: BlobStore;
  readonly words: PruneWords<Row>;
}

/**
 * Prunes ended jobs, a slice at a time: what is to go is read outside the write, and an ended job
 * does not change.
 */
export async function pruneJobs<Row extends StoredResult>(
  deps: Deps<Row>,
  { endedBefore, limit }: PruneRequest,
): Promise<PruneReport> {
  const { programs, words } = deps;
  const due = await programs.read(() => all<{ id: string }>(words.JOBS_TO_PRUNE, { endedBefore, limit: limit + 1 }));
  const jobs = due.slice(0, limit);
  for (const { id } of jobs) while (!(await pruneSlice(deps, id)));
  return { jobs: jobs.length, more: due.length > limit };
}

/** True when nothing of the job is left to prune; the job is then marked in the same write. */
async function pruneSlice<Row extends StoredResult>(deps: Deps<Row>, jobId: string): Promise<boolean> {
  const { read, write } = deps.programs;
  const rows = await read(() => all<Row>(deps.words.RESULTS_TO_PRUNE, { jobId, limit: SLICE_ROWS }));
  const left = await Promise.all(
    rows.map(async (row) => ({ row, outcome: prunedOutcome(await outcomeOf(deps, row)) })),
  );
  const isLast = rows.length < SLICE_ROWS;
  return write(
    'run.prune',
    function* (at) {
      const now = at();
      for (const { row, outcome } of left) yield* prune(deps.words, { row, outcome, now });
      if (isLast) {
        yield* run(MARK_JOB_PRUNED, { jobId, now });
        yield* run(DROP_PROMPTS, { jobId });
      }
      return isLast;
    },
    [jobId],
  );
}

/** Of a large result, from its blob; one whose blob is gone says so. */
async function outcomeOf<Row extends StoredResult>({ blobs, words }: Deps<Row>, row: Row): Promise<StepOutcome> {
  if (row.outcome_sha256 === null) return words.outcomeIn(row);
  const bytes = await blobs.get(row.outcome_sha256).catch(() => null);
  // Written by `step.ended` from a value of this type.
  return bytes === null ? LOST : (JSON.parse(new TextDecoder().decode(bytes)) as StepOutcome);
}

interface Pruning {
  readonly row: StoredResult;
  readonly outcome: StepOutcome;
  readonly now: string;
}

function* prune(
  { PRUNE_RESULT }: Pick<PruneWords<StoredResult>, 'PRUNE_RESULT'>,
  { row: { ord, outcome_sha256: sha256 }, outcome, now }: Pruning,
): Program<void> {
  const isPruned = (yield* run(PRUNE_RESULT, { ord, outcome: JSON.stringify(outcome), now })) > 0;
  if (isPruned && sha256 !== null) yield* run(ADD_CANDIDATE, { sha256, now });
}

/**
 * Removes results in the write that has just ended their job; `find` and what it names beside the
 * key are the dialect's.
 */
export function* discardResults(
  find: Pick<Statement, 'sql' | 'params'> & Pick<PruneWords<StoredResult>, 'PRUNE_RESULT'>,
  discard: readonly DiscardedResult[],
  now: string,
): Program<void> {
  for (const { key, outcome } of discard) {
    const row = yield* get<StoredResult>(find.sql, { ...find.params, key });
    if (row === undefined) throw stepRefused(key, 'has no result to remove');
    yield* prune(find, { row, outcome, now });
  }
}
