import { isKitError, KitError } from '../../domain/errors.js';
import type { Job, WaitingStatus } from '../../domain/job.js';
import { ENGINE } from '../../domain/journal.js';
import { type NoRetry, noRetryOf } from '../../domain/retryable.js';
import { type RetriedRows, retriedRows } from '../../worker/retried-rows.js';
import { retryIdOf } from '../../worker/retry-id.js';
import { findJob } from '../find-job.js';
import { type BranchAuthor, branchOf, startedEvent } from './fork-run.js';
import type { ResumeDeps } from './resume-run.js';

/** Which failed run is retried, and by whom. */
export interface RetryRequest {
  /** Id or unique prefix. */
  readonly job: string;
  readonly by: BranchAuthor;
  /** Steps whose results were removed, and what came after, run once more; else it is refused. */
  readonly repeatPruned: boolean;
}

/** What became of it. */
export interface Retried {
  readonly job: Job;
  /** It was asked for before: `job` is the run that was made then, as it is now. */
  readonly repeated: boolean;
  /** Keys of gates and questions that people are asked anew. */
  readonly gates: readonly string[];
}

/**
 * Makes a new run of a failed one: the same snapshot and input, and every step that was finished.
 * A run is retried once: whoever asks again gets the run that was made. The retry is claimed by
 * this process, or waits: for a slot here, or in the queue. The failed run is only read.
 *
 * Throws KIT_JOB_UNKNOWN, KIT_JOB_ID_AMBIGUOUS, KIT_JOB_NOT_RETRYABLE, KIT_JOURNAL_DIVERGED,
 * KIT_ADAPTER_UNTRUSTED, KIT_JOB_NOT_RESUMABLE for one that needs what is not here; nothing is
 * written then.
 */
export async function retryRun(
  deps: ResumeDeps,
  request: RetryRequest,
  place: 'claimed' | WaitingStatus,
): Promise<Retried> {
  const { stores } = deps;
  const source = await findJob(stores, request.job);
  const id = retryIdOf(source.id);
  const made = await stores.jobs.get(id);
  if (made !== null) return { job: made, repeated: true, gates: [] };
  assertRetryable(source);
  const begun = retriedRows(await stores.runs.load(source.id), id);
  if (begun.pruned.length > 0 && !request.repeatPruned) throw pruned(source, begun);
  await deps.assertApproved(source);
  const claim = { ...(await deps.claimFor(source.needs)), jobId: id };
  try {
    const job = await stores.jobs.insertBegun(
      branchOf(source, { id, by: request.by }),
      {
        status: place === 'claimed' ? 'pending' : place,
        events: [startedEvent(deps, source, request.by)],
        steps: begun.rows,
      },
      place === 'claimed' ? { kind: 'claimed', claim } : { kind: 'waiting', writer: claim },
    );
    return { job, repeated: false, gates: begun.gates };
  } catch (error) {
    // Two asked at once.
    if (!isKitError(error) || error.code !== 'KIT_JOB_ID_USED') throw error;
    return { job: await findJob(stores, id), repeated: true, gates: [] };
  }
}

function assertRetryable(job: Job): void {
  if (job.engine !== ENGINE)
    throw new KitError(
      'KIT_JOURNAL_DIVERGED',
      `run ${job.id} was recorded by the engine ${job.engine}, and this is ${ENGINE}`,
      { hint: 'Retry it with the version of kit that recorded it.' },
    );
  const why = whyNot(job);
  if (why === null) return;
  throw new KitError('KIT_JOB_NOT_RETRYABLE', `run ${job.id} ${why.message}`, {
    hint: why.hint,
    data: { job_id: job.id, status: job.status, reason: job.reason },
  });
}

/** Null for a run that failed and whose retry may come to another end. */
function whyNot(job: Job): { readonly message: string; readonly hint: string } | null {
  const { id, status, topology } = job;
  const cause = noRetryOf(job);
  if (cause !== null && (status === 'failed' || cause === 'diverged')) return WHY_NOT[cause](job);
  if (status === 'stopped' || status === 'deferred')
    return {
      message: `is ${status}; only failed runs are retried`,
      hint: `Go on with it: kit run ${topology} --resume=${id}`,
    };
  if (status !== 'failed')
    return { message: `is ${status}; only failed runs are retried`, hint: 'Submit the work again, in its place.' };
  if (job.needs.cassette !== undefined)
    return { message: 'is a replay, which its cassette alone answers', hint: 'Replay the cassette again.' };
  return null;
}

const WHY_NOT: Readonly<Record<NoRetry, (job: Job) => { readonly message: string; readonly hint: string }>> = {
  decided: () => ({
    message: 'ended by what people decided; a retry would ask them the same',
    hint: 'Submit changed work in its place.',
  }),
  limit: ({ reason }) => ({
    message: `reached ${reason?.slice('limit.'.length)}; what it spent counts for a retry as well`,
    hint: 'Raise the limit, and submit the work again in its place.',
  }),
  diverged: () => ({
    message: 'went another way than it was recorded, and so would its retry',
    hint: 'Go on with it with the version of kit that recorded it, or submit the work again in its place.',
  }),
  doubt: ({ id }) => ({
    message: 'ended with work that may have taken effect and must not be done twice (on_in_doubt: fail)',
    hint: `Look at what it did; \`kit debug ${id}\` names the step, and \`kit debug fork ${id} --from STEP\` does it once more.`,
  }),
  part: ({ callerJobId }) => ({
    message: `is a part of run ${callerJobId}, which asked for it`,
    hint: `Retry that one: kit retry ${callerJobId}`,
  }),
};

const pruned = (job: Job, { pruned: keys }: RetriedRows): KitError =>
  new KitError(
    'KIT_JOB_NOT_RETRYABLE',
    `run ${job.id} cannot take over results that were removed: ${keys.join(', ')}`,
    {
      hint: 'They and what came after them run once more with --repeat-pruned (HTTP: ?repeat_pruned=true).',
      data: { job_id: job.id, pruned: [...keys] },
    },
  );
