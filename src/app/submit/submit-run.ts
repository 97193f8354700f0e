import type { RunEvent } from '../../domain/events.js';
import type { EventPayloads } from '../../domain/generated/events.js';
import { type Job, nameBeside, type RunRequest, type WaitingStatus } from '../../domain/job.js';
import type { StepRow } from '../../domain/journal.js';
import type { ClaimRequest, NewJob, Once, QueueLimit, WorkerHost } from '../../domain/ports/stores.js';
import { sha256Hex } from '../../lib/sha256.js';
import { type EntryDeps, entryEvent } from '../entry-events.js';
import type { PreparedRun } from './prepare-run.js';

/** What of a prepared run goes into the store. */
export type Submittable = Pick<
  PreparedRun,
  'snapshotBytes' | 'job' | 'attachments' | 'knowledge' | 'inputSchemaDigest' | 'labels'
> & {
  readonly topology: Pick<PreparedRun['topology'], 'name' | 'version'>;
};

/** A prepared run on its way into the store. */
export interface SubmittedRow {
  readonly prepared: Submittable;
  readonly request: RunRequest;
  /**
   * Workers take it: it is `queued`, and `limit` bounds how many may be (null = any number).
   * Absent: it is `pending`, for this process.
   */
  readonly queue?: { readonly limit: QueueLimit | null };
  /** What its journal begins with, written by a process of this host. Absent: nothing. */
  readonly begun?: { readonly steps: readonly StepRow[]; readonly host: WorkerHost };
}

/**
 * Writes a prepared run: bytes first, then the row with its first events in one transaction. With
 * `claim` the row is born claimed by this process (`kit run`); otherwise it waits for whoever may
 * claim it. Approvals are asked by the caller, before this.
 *
 * Throws KIT_JOB_ID_USED, KIT_QUEUE_FULL, KIT_KNOWLEDGE_INVALID.
 */
export async function submitRun(deps: EntryDeps, run: SubmittedRow & { readonly claim?: ClaimRequest }): Promise<Job> {
  await putBytes(deps, run.prepared);
  if (run.begun !== undefined) return insertBegun(deps, run, run.begun);
  return deps.stores.jobs.insert(
    newJob(deps, run),
    statusOf(run),
    firstEvents(deps, run),
    run.claim,
    run.queue?.limit ?? undefined,
  );
}

/** It waits for whoever may claim it: nothing is asked of this process, and nothing offered. */
function insertBegun(
  deps: EntryDeps,
  run: SubmittedRow,
  { steps, host }: NonNullable<SubmittedRow['begun']>,
): Promise<Job> {
  const writer = { workerId: deps.ids.workerId(), leaseMs: WRITING_MS, host };
  const begun = { status: statusOf(run), events: firstEvents(deps, run), steps };
  return deps.stores.jobs.insertBegun(newJob(deps, run), begun, { kind: 'waiting', writer });
}

/** The row is claimed for the one transaction that writes it. */
const WRITING_MS = 60_000;

/**
 * The same under a key: one that was used answers its job, and no row is written, however many
 * wait. Throws KIT_JOB_ID_USED, KIT_IDEMPOTENCY_CONFLICT, KIT_QUEUE_FULL, KIT_KNOWLEDGE_INVALID.
 */
export async function submitRunOnce(
  deps: EntryDeps,
  run: SubmittedRow & { readonly once: Once },
): Promise<{ readonly job: Job; readonly repeated: boolean }> {
  await putBytes(deps, run.prepared);
  return deps.stores.jobs.insertOnce(
    run.once,
    newJob(deps, run),
    statusOf(run),
    firstEvents(deps, run),
    run.queue?.limit ?? undefined,
  );
}

const statusOf = ({ queue }: SubmittedRow): WaitingStatus => (queue === undefined ? 'pending' : 'queued');

const newJob = ({ ids }: EntryDeps, run: { readonly prepared: Submittable; readonly request: RunRequest }): NewJob => ({
  ...run.prepared.job,
  id: run.request.id ?? ids.jobId(),
});

async function putBytes({ stores }: EntryDeps, prepared: Submittable): Promise<void> {
  await stores.blobs.put(prepared.snapshotBytes);
  for (const attachment of prepared.attachments) await stores.blobs.put(attachment.bytes);
  for (const documents of prepared.knowledge) await documents.write(stores.knowledge);
}

/**
 * What names whose run it is stands in the first event alone: one fact, which every view and sink
 * has.
 */
function labelsOf({ labels: { organisation, team, annotations } }: Submittable): Partial<EventPayloads['run.started']> {
  return {
    ...(organisation === null ? {} : { organisation }),
    ...(team === null ? {} : { team }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}

function firstEvents(
  deps: EntryDeps,
  run: { readonly prepared: Submittable; readonly request: RunRequest },
): readonly RunEvent[] {
  const { prepared, request } = run;
  const topology = prepared.job.topology;
  const started = entryEvent(deps, {
    type: 'run.started',
    topology,
    payload: {
      trigger_source: request.source,
      topology: prepared.topology.name,
      version: prepared.topology.version,
      input_sha256: sha256Hex(prepared.job.input),
      submitted_by: request.submittedBy.identity,
      ...nameBeside(request.submittedBy),
      assurance: request.submittedBy.assurance,
      ...(request.submittedFrom === undefined
        ? {}
        : { submitted_from: { host: request.submittedFrom.host, os_user: request.submittedFrom.osUser } }),
      ...labelsOf(prepared),
    },
  });
  const validated =
    prepared.inputSchemaDigest === null
      ? []
      : [
          entryEvent(deps, {
            type: 'input.validated',
            topology,
            payload: { schema_sha256: prepared.inputSchemaDigest },
          }),
        ];
  const attached = prepared.attachments.map(({ ref }) =>
    entryEvent(deps, {
      type: 'run.attachments',
      topology,
      payload: {
        name: ref.name,
        media_type: ref.mediaType,
        size_bytes: ref.sizeBytes,
        sha256: ref.sha256,
        source_path: ref.sourcePath,
      },
    }),
  );
  return [started, ...validated, ...attached];
}
