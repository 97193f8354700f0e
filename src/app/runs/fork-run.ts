import { KitError } from '../../domain/errors.js';
import type { RunEvent } from '../../domain/events.js';
import type { Job, JobSource } from '../../domain/job.js';
import { nameBeside } from '../../domain/job.js';
import { withoutWorktrees } from '../../domain/job-needs.js';
import { ENGINE } from '../../domain/journal.js';
import type { NewJob } from '../../domain/ports/stores.js';
import { sha256Hex } from '../../lib/sha256.js';
import { forkedRows } from '../../worker/forked-rows.js';
import { entryEvent } from '../entry-events.js';
import { findJob } from '../find-job.js';
import type { ResumeDeps } from './resume-run.js';

/** Which run is forked, and where; `by` is the identity that submits the fork. */
export interface ForkRequest {
  /** Id or unique prefix. */
  readonly job: string;
  /** Key of the first step that runs anew. */
  readonly from: string;
  readonly by: string;
}

/** Label of a fork: the run that it was forked from, and the step. */
export const FORK_LABELS = { run: 'forked_from', step: 'forked_at' } as const;

/** A label's value has at most so many characters (docs/design/decisions.md#labels). */
const MAX_LABEL_CHARS = 1024;

/**
 * Runs the tail of a run anew, as a job of its own with the same snapshot and input. Its journal
 * begins with what the source had finished before the step (`forkedRows`); the source is only read.
 * The fork is there with its whole beginning or not at all.
 *
 * Throws KIT_JOB_UNKNOWN, KIT_JOB_ID_AMBIGUOUS, KIT_STEP_UNKNOWN, KIT_JOURNAL_PRUNED,
 * KIT_JOURNAL_DIVERGED for a run that another engine recorded, KIT_ADAPTER_UNTRUSTED,
 * KIT_JOB_NOT_RESUMABLE for one that needs what is not here; nothing is written then.
 */
export async function forkRun(deps: ResumeDeps, request: ForkRequest): Promise<Job> {
  const { stores, ids } = deps;
  const source = await findJob(stores, request.job);
  if (source.engine !== ENGINE)
    throw new KitError(
      'KIT_JOURNAL_DIVERGED',
      `run ${source.id} was recorded by the engine ${source.engine}, and this is ${ENGINE}`,
      {
        hint: 'Fork it with the version of kit that recorded it.',
      },
    );
  const id = ids.jobId();
  const rows = forkedRows(source, await stores.runs.load(source.id), { from: request.from, jobId: id });
  await deps.assertApproved(source);
  const from = request.from.slice(0, MAX_LABEL_CHARS);
  const by: BranchAuthor = { source: 'cli', submittedBy: { identity: request.by, assurance: 'asserted' } };
  const labels = { ...source.labels, [FORK_LABELS.run]: source.id, [FORK_LABELS.step]: from };
  return stores.jobs.insertBegun(
    { ...branchOf(source, { id, by }), labels },
    { status: 'pending', events: [startedEvent(deps, source, by)], steps: rows },
    { kind: 'claimed', claim: { ...(await deps.claimFor(source.needs)), jobId: id } },
  );
}

/** Who asks for a run that goes on from another one, and by which entry point. */
export interface BranchAuthor {
  readonly source: JobSource;
  readonly submittedBy: Job['submittedBy'];
}

/** A run of its own with the snapshot and the input of another one. */

export function branchOf(source: Job, { id, by }: { readonly id: string; readonly by: BranchAuthor }): NewJob {
  const { topology, version, input, correlationId, labels, jobClass, priority } = source;
  const { engine, needs, snapshot, timeoutMs, attachments } = source;
  return {
    id,
    topology,
    version,
    input,
    correlationId,
    labels,
    parentJobId: source.id,
    callerJobId: null,
    ...by,
    jobClass,
    priority,
    engine,
    needs: withoutWorktrees(needs),
    snapshot,
    recover: 'manual',
    timeoutMs,
    attachments,
    traceParent: null,
  };
}

/** The beginning of its log. */
export const startedEvent = (deps: Pick<ResumeDeps, 'ids' | 'clock'>, of: Job, by: BranchAuthor): RunEvent =>
  entryEvent(deps, {
    type: 'run.started',
    topology: of.topology,
    payload: {
      trigger_source: by.source,
      topology: of.topology.replace(/@.*$/, ''),
      version: of.version ?? '',
      input_sha256: sha256Hex(of.input),
      submitted_by: by.submittedBy.identity,
      ...nameBeside(by.submittedBy),
      assurance: by.submittedBy.assurance,
    },
  });
