import type { Job } from '../domain/job.js';
import type { RunEnd } from '../domain/journal.js';
import type { RunOutcome } from '../engine/judge-run.js';

/** Why a task scope was aborted from outside the interpreter. */
export type AbortCause = 'timeout' | 'interrupted' | 'lease_lost';

/** A run that waits for people has no end. */
export type EndedOutcome = Exclude<RunOutcome, { kind: 'parked' }>;

/**
 * Status, reason and sentence of a run's end; null when this worker may not say (its lease is
 * lost). What the interpreter came to is on the journal: a clock or a signal that strikes after it
 * changes nothing, else a replay would tell another story. Pure.
 */
export function endOf(run: {
  readonly outcome: EndedOutcome;
  readonly cause: AbortCause | null;
  readonly job: Job;
}): Pick<RunEnd, 'status' | 'reason' | 'error' | 'output'> | null {
  const { outcome, cause, job } = run;
  if (cause === 'lease_lost') return null;
  switch (outcome.kind) {
    case 'completed':
      return { status: 'completed', reason: null, error: null, output: outcome.output };
    case 'failed':
      return { status: 'failed', reason: outcome.reason, error: outcome.message, output: null };
    case 'diverged':
      return { status: 'stopped', reason: 'journal_diverged', error: outcome.message, output: null };
    case 'unfinished':
      return cause === null ? unfinishedEnd(outcome, job) : abortedEnd(cause, job);
  }
}

function abortedEnd(
  cause: Exclude<AbortCause, 'lease_lost'>,
  job: Job,
): Pick<RunEnd, 'status' | 'reason' | 'error' | 'output'> {
  switch (cause) {
    case 'timeout':
      return {
        status: 'failed',
        reason: 'timeout',
        error: `timed out after ${(job.timeoutMs ?? 0) / 1000} s of execution`,
        output: null,
      };
    case 'interrupted':
      return {
        status: 'stopped',
        reason: 'interrupted',
        error: 'ended at once on request; what was in flight was cut off',
        output: null,
      };
  }
}

function unfinishedEnd(
  { reason, message = '' }: Extract<RunOutcome, { kind: 'unfinished' }>,
  job: Job,
): Pick<RunEnd, 'status' | 'reason' | 'error' | 'output'> | null {
  switch (reason) {
    case 'stop':
      return {
        status: 'stopped',
        reason: 'stop_requested',
        error: `stopped on request of ${job.stopRequestedBy ?? 'a person'}`,
        output: null,
      };
    // It is not an end: such a run was parked.
    case 'outage':
    case 'child_stopped':
      return { status: 'stopped', reason, error: message, output: null };
    case 'abort':
      return { status: 'failed', reason: 'aborted', error: 'the run was aborted without a stated cause', output: null };
    case 'KIT_CONSENT_REQUIRED':
    case 'KIT_CREDENTIAL_EXPIRED':
      return { status: 'failed', reason, error: message, output: null };
    case 'lease_lost':
    case 'lease_over':
      return null;
  }
}
