import type { ModelFailure, ModelResult } from '../domain/ports/model.js';
import { CallTimeout } from '../domain/ports/system.js';
import { readModelResult } from './model-result.js';
import { ABORTED, raceAbort } from './race-abort.js';
import type { RunServices } from './services.js';

/**
 * Ends the scope of a call by the run's own, and when its time is over: whoever ignores that does
 * not hold the run.
 */
export async function answerInTime(
  services: Pick<RunServices, 'signal' | 'clock'>,
  asked: Promise<ModelResult>,
  within: { readonly scope: AbortController; readonly timeoutMs: number },
): Promise<ModelResult> {
  const { scope, timeoutMs } = within;
  const onAbort = (): void => scope.abort(services.signal.reason);
  services.signal.addEventListener('abort', onAbort);
  if (services.signal.aborted) onAbort();
  const cancel = new AbortController();
  const timeout = services.clock.sleep(timeoutMs, cancel.signal).then(
    () => scope.abort(new CallTimeout(timeoutMessage(timeoutMs))),
    () => undefined,
  );
  try {
    const raced = await raceAbort(asked, scope.signal);
    return raced === ABORTED ? { ok: false, failure: timeoutFailure(timeoutMs) } : readModelResult(raced);
  } finally {
    services.signal.removeEventListener('abort', onAbort);
    cancel.abort(ANSWERED);
    await timeout;
  }
}

/** An abort without a reason would make an error with a stack, for nobody. */
const ANSWERED = 'answered';
const timeoutMessage = (timeoutMs: number): string => `no answer within ${timeoutMs} ms`;

const timeoutFailure = (timeoutMs: number): ModelFailure => ({
  kind: 'timeout',
  message: timeoutMessage(timeoutMs),
  status: null,
  retryAfterMs: null,
});
