import { pause } from '@kit-run/kit/command';
import { isKitError, KitError } from '@kit-run/kit/plugin';
import type { Backend, FoundJob } from '../backend.js';
import { isGenuine, jobOfTicket } from './run-ticket.js';
import { waitForRun } from './wait-for-run.js';

/** How often a run that waits for people is looked at: nobody writes down who waits for it here. */
const LOOK_MS = 500;

/**
 * The run that a call began before, for the caller who began it. Throws KIT_REQUEST_INVALID for a
 * state that this server did not give to this caller.
 */
export async function joinRun(backend: Backend, state: string): Promise<FoundJob> {
  const refused = new KitError('KIT_REQUEST_INVALID', 'requestState was not issued by this server to this caller');
  const of = await backend.find(jobOfTicket(state)).catch((error: unknown) => {
    throw isKitError(error) && error.code === 'KIT_JOB_UNKNOWN' ? refused : error;
  });
  if (!isGenuine(state, of.job, backend.caller)) throw refused;
  return of;
}

/** Waits until people have decided and the run has gone on to its end, at most so long. */
export async function waitPastGate(
  backend: Backend,
  { of, waitMs, signal }: { readonly of: FoundJob; readonly waitMs: number; readonly signal: AbortSignal },
): Promise<FoundJob> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  let now = of;
  while (!end.aborted && (now.job.status === 'deferred' || (await backend.gateUrl(now)) !== null)) {
    await pause(LOOK_MS, end);
    now = await backend.find(of.job.id);
  }
  return waitForRun(backend, { of: now, waitMs, signal: end, onLine: null });
}
