import type { RunEvent } from '../domain/events.js';
import { type JobStatus, OVER_STATUSES } from '../domain/job.js';
import type { RunWrite } from '../domain/journal.js';
import { digestUuid } from '../lib/digest-uuid.js';

/** Columns of a run that tell for whom it runs. */
export interface Kin {
  readonly caller_job_id: string | null;
}

/** The run that waits for this one: only the child job of an `agent` skill has one. */
export const callerOf = ({ caller_job_id }: Kin): string | null => caller_job_id;

/**
 * Statuses of another run in which whoever waits for it has something to do. One that people hold
 * up is to be told of; whoever has told of it waits for its end.
 */
export const restingStatuses = (write: Extract<RunWrite, { op: 'run.parked' }>): readonly JobStatus[] =>
  write.wakeAfterMs === undefined ? OVER_STATUSES : [...OVER_STATUSES, 'deferred'];

/**
 * A run that waits for other runs was never parked in its log, so nothing resumes there: it is
 * carried on.
 */
export const wasParked = ({ status }: { readonly status: string }): boolean => status !== 'running';

/** Nothing wakes it by itself. */
export const isOver = ({ status }: { readonly status: string }): boolean =>
  OVER_STATUSES.some((known) => known === status);

/** What the log of a deferred run says when something that it waited for has come to an end. */
export function wokenBy(
  by: string,
  of: { readonly eventId: string; readonly timestamp: string; readonly topologyId: string },
): RunEvent {
  return {
    ...of,
    type: 'run.resumed',
    agentId: null,
    skillId: null,
    stepKey: null,
    payload: { requested_by: by, from_status: 'deferred' },
  };
}

/**
 * Id of the caller's event beside the child's own: an end is written once, and so is what it wakes.
 */
export const callersEventId = (eventId: string): string => digestUuid(`caller\n${eventId}`);
