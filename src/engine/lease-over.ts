import { HurriedAbort, type ProcessResult } from '../domain/ports/system.js';
import type { RunServices } from './services.js';
import { Unfinished } from './unfinished.js';

/**
 * True for a process that its supervisor ended because nobody renewed the lease in time: this
 * worker stood still (a laptop slept, the process was stopped). It says nothing about what the
 * process was doing, so it is not an outcome of its step (docs/design/journal.md#outcomes).
 */
export function isLeaseOver(services: Pick<RunServices, 'signal'>, result: ProcessResult, stop?: AbortSignal): boolean {
  return result.ended === 'aborted' && !services.signal.aborted && stop?.aborted !== true;
}

/**
 * Ends the task scope: the run goes on from its journal, here or elsewhere, and repeats the step
 * that is now in doubt.
 */
export function leaveForLease(services: Pick<RunServices, 'abort'>): Unfinished {
  services.abort();
  return new Unfinished('lease_over');
}

/**
 * True for a session that a lost lease or a person in a hurry cut off: the run is not over. What
 * aborts the scope otherwise ends the run.
 */
export const isGoneOnWith = ({ signal }: Pick<RunServices, 'signal'>, { reason }: Unfinished): boolean =>
  reason === 'lease_lost' || reason === 'lease_over' || (reason === 'abort' && signal.reason instanceof HurriedAbort);
