import type { Job, JobStatus } from '@kit-run/kit/command';
import type { JsonObject } from '@kit-run/kit/plugin';
import type { CallToolResult } from '../sdk/parts.js';

/** A run as a task: its id is that of the job. */
export type TaskState = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** How often a client had better ask. */
const POLL_MS = 1_000;

const STATES: Readonly<Record<JobStatus, TaskState>> = {
  pending: 'working',
  queued: 'working',
  running: 'working',
  deferred: 'input_required',
  completed: 'completed',
  failed: 'failed',
  stopped: 'cancelled',
};

/**
 * What every answer about a task holds. A run is kept as long as the store keeps it: no time to
 * live.
 */
export function taskBase(job: Job): JsonObject {
  const { id, status, error, createdAt, startedAt, parkedAt, completedAt } = job;
  return {
    taskId: id,
    status: STATES[status],
    ...(error === null || status === 'completed' ? {} : { statusMessage: error }),
    createdAt,
    lastUpdatedAt:
      [createdAt, startedAt, parkedAt, completedAt]
        .filter((at) => at !== null)
        .toSorted()
        .at(-1) ?? createdAt,
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
}

/** Opening an address is not a decision: nothing of a client's answer to this is looked at. */
export const urlRequest = (job: Pick<Job, 'id'>, url: string): JsonObject => ({
  method: 'elicitation/create',
  params: { mode: 'url', message: `Run ${job.id} waits for people to decide. They look and decide here.`, url },
});

const asked = (job: Job, gateUrl: string | null): JsonObject => ({
  inputRequests: gateUrl === null ? {} : { gate: urlRequest(job, gateUrl) },
});

/** JSON-RPC: the tool itself failed. */
const FAILED_RUN = -32_000;

/** The answer to `tasks/get`. `result`: what the call would have answered. */
export function detailedTask(
  job: Job,
  { result, gateUrl }: { readonly result: CallToolResult; readonly gateUrl: string | null },
): JsonObject {
  const base = taskBase(job);
  switch (STATES[job.status]) {
    case 'working':
      // It waits for people whom an agent asks that it has asked.
      return gateUrl === null ? base : { ...base, status: 'input_required', ...asked(job, gateUrl) };
    case 'cancelled':
      return base;
    case 'input_required':
      return { ...base, ...asked(job, gateUrl) };
    case 'completed':
      return { ...base, result: result as JsonObject };
    case 'failed':
      return { ...base, error: { code: FAILED_RUN, message: job.error ?? 'the run failed', data: { job_id: job.id } } };
  }
}
