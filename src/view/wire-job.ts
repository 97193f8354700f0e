import type { AttachmentRef, Job } from '../domain/job.js';
import type { QueueStats } from '../domain/ports/serving.js';
import type { WireJob, WireJobSummary, WireQueueStats } from './schemas/job.js';

/**
 * A job as every door shows it (docs/design/decisions.md#wire): `id` and `job_id`, flat and nested
 * usage, unknown cost as null.
 */
export function toWireJob(job: Job): WireJob {
  return {
    id: job.id,
    job_id: job.id,
    status: job.status,
    topology: job.topology,
    version: job.version,
    input: job.input,
    output: job.output,
    reason: job.reason,
    error: job.error,
    ...usageFields(job),
    diff_length: job.diffLength,
    source: job.source,
    correlation_id: job.correlationId,
    labels: job.labels,
    // Digest of the cassette that answered the run: nothing was called, and nobody paid for its
    // usage. null = no replay.
    replay: job.needs.cassette ?? null,
    parent_job_id: job.parentJobId,
    caller_job_id: job.callerJobId,
    submitted_by: { identity: job.submittedBy.identity, assurance: job.submittedBy.assurance },
    worker_id: job.workerId,
    lease_until: job.leaseUntil,
    attempt: job.attempt,
    job_class: job.jobClass,
    priority: job.priority,
    waiting_on: job.waitingOn,
    ungated: job.ungated,
    created_at: job.createdAt,
    claimed_at: job.claimedAt,
    started_at: job.startedAt,
    parked_at: job.parkedAt,
    completed_at: job.completedAt,
    stop_requested_at: job.stopRequestedAt,
    executed_ms: job.executedMs,
    attachments: job.attachments.map(toWireAttachment),
  };
}

/**
 * A job in a list: everything but what was asked and what came of it, which may be long
 * (docs/design/decisions.md#wire).
 */
export function toWireJobSummary(job: Job): WireJobSummary {
  const { input: _, output: __, ...summary } = toWireJob(job);
  return summary;
}

/** What of an attachment is known; never its bytes. */
const toWireAttachment = (ref: AttachmentRef): WireJob['attachments'][number] => ({
  name: ref.name,
  media_type: ref.mediaType,
  size_bytes: ref.sizeBytes,
  sha256: ref.sha256,
  path: ref.sourcePath,
  handling: ref.handling,
});

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

/** How the queue does (docs/design/decisions.md#wire); times in seconds, null without a sample. */
export function toWireQueueStats(stats: QueueStats): WireQueueStats {
  return {
    queued: stats.queued,
    running: stats.running,
    waiting_for_outage: stats.outages.jobs,
    next_outage_look_at: stats.outages.nextAt,
    oldest_queued_age_seconds: seconds(stats.oldestQueuedAgeMs),
    queue_wait_p50_seconds: seconds(stats.queueWaitP50Ms),
    queue_wait_p95_seconds: seconds(stats.queueWaitP95Ms),
    execution_p50_seconds: seconds(stats.executionP50Ms),
    execution_p95_seconds: seconds(stats.executionP95Ms),
    depth_by_topology: stats.depthByTopology,
    sample_size: stats.sampleSize,
    blocked:
      stats.blocked?.map(({ jobs, jobClass, engine, missing, example }) => ({
        jobs,
        job_class: jobClass,
        engine,
        missing,
        example,
      })) ?? null,
  };
}

function usageFields(job: Job): Pick<WireJob, 'usage' | (`usage_${string}` & keyof WireJob)> {
  const { usage } = job;
  return {
    usage:
      usage === null
        ? null
        : {
            input_tokens: usage.inputTokens,
            output_tokens: usage.outputTokens,
            cost_usd: usage.costUsd,
            ...(usage.estimated === true ? { estimated: true } : {}),
          },
    usage_input_tokens: usage?.inputTokens ?? null,
    usage_output_tokens: usage?.outputTokens ?? null,
    usage_cost_usd: usage?.costUsd ?? null,
  };
}
