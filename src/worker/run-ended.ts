import type { RunEvent } from '../domain/events.js';
import type { Job } from '../domain/job.js';
import type { DiscardedResult, RunEnd, RunWrite } from '../domain/journal.js';
import { eventIdOf } from '../engine/derive.js';

/** The last write of a run: its final columns and its one `run.ended`. */
export function runEndedWrite(job: Job, end: RunEnd, discard: readonly DiscardedResult[] = []): Extract<RunWrite, { op: 'run.ended' }> {
  const event: RunEvent = {
    type: 'run.ended',
    eventId: eventIdOf({ jobId: job.id, key: 'run', attempt: job.attempt, index: 0 }),
    timestamp: end.endedAt,
    topologyId: job.topology,
    agentId: null,
    skillId: null,
    stepKey: null,
    payload: { status: end.status, reason: end.reason, error: end.error },
  };
  // A stopped run can go on, and needs what it has.
  return { op: 'run.ended', end, events: [event], ...(end.status === 'stopped' || discard.length === 0 ? {} : { discard }) };
}
