import type { AttachmentRef, Job } from '../domain/job.js';
import {
  type Fields,
  fieldsOf,
  maybeNumberAt,
  maybeObjectAt,
  maybeTextAt,
  numberAt,
  objectsAt,
  textAt,
  textMapAt,
  textsAt,
} from '../lib/read-json.js';

/**
 * A job out of what `toWireJob` makes, as a server of any version tells it: what is missing is
 * empty. What the wire does not have is what nobody shows of a job elsewhere.
 */
export function fromWireJob(value: unknown): Job {
  const job = fieldsOf(value);
  const replay = maybeTextAt(job, 'replay');
  const by = fieldsOf(job.submitted_by);
  return {
    id: textAt(job, 'id'),
    // A status of a version to come is shown as it is called.
    status: textAt(job, 'status') as Job['status'],
    topology: textAt(job, 'topology'),
    version: maybeTextAt(job, 'version'),
    input: textAt(job, 'input'),
    output: maybeTextAt(job, 'output'),
    reason: maybeTextAt(job, 'reason'),
    error: maybeTextAt(job, 'error'),
    usage: usageOf(job),
    diffLength: maybeNumberAt(job, 'diff_length'),
    correlationId: maybeTextAt(job, 'correlation_id'),
    labels: textMapAt(job, 'labels'),
    parentJobId: maybeTextAt(job, 'parent_job_id'),
    callerJobId: maybeTextAt(job, 'caller_job_id'),
    source: textAt(job, 'source') as Job['source'],
    submittedBy: {
      identity: textAt(by, 'identity'),
      assurance: textAt(by, 'assurance') as Job['submittedBy']['assurance'],
    },
    workerId: maybeTextAt(job, 'worker_id'),
    leaseUntil: maybeTextAt(job, 'lease_until'),
    attempt: numberAt(job, 'attempt'),
    jobClass: job.job_class === 'harness' ? 'harness' : 'model',
    priority: numberAt(job, 'priority'),
    needs: { plugins: {}, adapters: {}, ...(replay === null ? {} : { cassette: replay }) },
    waitingOn: textsAt(job, 'waiting_on'),
    ungated: textsAt(job, 'ungated'),
    createdAt: textAt(job, 'created_at'),
    claimedAt: maybeTextAt(job, 'claimed_at'),
    startedAt: maybeTextAt(job, 'started_at'),
    parkedAt: maybeTextAt(job, 'parked_at'),
    completedAt: maybeTextAt(job, 'completed_at'),
    stopRequestedAt: maybeTextAt(job, 'stop_requested_at'),
    executedMs: numberAt(job, 'executed_ms'),
    attachments: objectsAt(job, 'attachments').map(attachmentOf),
    ...NOT_ON_THE_WIRE,
  };
}

/** What concerns the store and its workers alone. */
const NOT_ON_THE_WIRE = {
  earlier: [],
  crashes: 0,
  engine: 0,
  snapshot: '',
  recover: 'auto',
  wakeAt: null,
  stopRequestedBy: null,
  timeoutMs: null,
  traceParent: null,
} as const;

function usageOf(job: Fields): Job['usage'] {
  const usage = maybeObjectAt(job, 'usage');
  if (usage === null) return null;
  return {
    inputTokens: numberAt(usage, 'input_tokens'),
    outputTokens: numberAt(usage, 'output_tokens'),
    cachedInputTokens: 0,
    reasoningTokens: 0,
    costUsd: maybeNumberAt(usage, 'cost_usd'),
    ...(usage.estimated === true ? { estimated: true } : {}),
  };
}

const attachmentOf = (ref: Fields): AttachmentRef => ({
  name: textAt(ref, 'name'),
  mediaType: textAt(ref, 'media_type') as AttachmentRef['mediaType'],
  sizeBytes: numberAt(ref, 'size_bytes'),
  sha256: textAt(ref, 'sha256'),
  sourcePath: maybeTextAt(ref, 'path'),
  handling: ref.handling === 'native' ? 'native' : 'preprocess',
});
