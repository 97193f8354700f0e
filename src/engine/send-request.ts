import type { ModelFailure, ModelRequest, ModelResult } from '../domain/ports/model.js';
import { CallTimeout } from '../domain/ports/system.js';
import { onAbort } from '../lib/on-abort.js';
import { LATER, settledSoon } from '../lib/settled-soon.js';
import type { CallProgress } from './call-times.js';
import { stepTraceParent } from './derive.js';
import type { ModelCall, Target } from './model-call.js';
import { readModelResult } from './model-result.js';
import { ABORTED, raceAbort } from './race-abort.js';
import type { RunServices } from './services.js';
import { StepFailure } from './step-failure.js';

/** What one request comes to: an answer, a failure or the end of its time. */
export async function sendRequest(
  services: RunServices,
  { call, provider, context, progress, onLimit }: Target,
  request: ModelRequest,
): Promise<ModelResult> {
  const traceParent = stepTraceParent({ ...services, key: call.key, attempt: context.attempt });
  const scope = new AbortController();
  const { signal } = scope;
  if (services.signal.aborted) scope.abort(services.signal.reason);
  try {
    const onText = (text: string): void => services.onText(call.activation, text);
    const heard = onLimit === undefined ? {} : { onLimit };
    const options = progress.listening({ signal, stepId: context.stepId, traceParent, onText, ...heard });
    const asked = provider.generate(request, options);
    const soon = signal.aborted ? LATER : await settledSoon(asked);
    return soon === LATER ? await answerInTime(services, asked, { scope, progress }) : readModelResult(soon);
  } catch (error) {
    if (error instanceof StepFailure) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, failure: { kind: 'malformed', message, status: null, retryAfterMs: null } };
  }
}

/**
 * Ends the scope of a call by the run's own, when a person stops the run, and when its time is
 * over: whoever ignores that does not hold the run.
 */
async function answerInTime(
  services: Pick<RunServices, 'signal' | 'clock' | 'stops'>,
  asked: Promise<ModelResult>,
  within: { readonly scope: AbortController; readonly progress: CallProgress },
): Promise<ModelResult> {
  const { scope, progress } = within;
  const { signal, stops, clock } = services;
  const unwatch = stops?.watch();
  const deaf = [
    onAbort(signal, () => scope.abort(signal.reason)),
    onAbort(stops?.signal, () => scope.abort(stops?.signal.reason)),
  ];
  const cancel = new AbortController();
  const over = overTime(clock, progress, cancel.signal).then((message) => {
    if (message !== null) scope.abort(new CallTimeout(message));
    return message;
  });
  try {
    const raced = await raceAbort(asked, scope.signal);
    return raced === ABORTED ? { ok: false, failure: cutOff(scope.signal.reason) } : readModelResult(raced);
  } finally {
    unwatch?.();
    for (const off of deaf) off();
    cancel.abort(ANSWERED);
    await over;
  }
}

/** Why the time of a call is over, once it is; null where the signal came first. */
async function overTime(
  clock: RunServices['clock'],
  progress: CallProgress,
  signal: AbortSignal,
): Promise<string | null> {
  for (;;) {
    const { atMs, message } = progress.due();
    const leftMs = atMs - clock.now();
    if (leftMs <= 0) return message;
    // In whole seconds: nobody misses the rest of one, and no call sleeps for times of its own.
    const sleepMs = Math.min(SECOND_MS * Math.ceil(leftMs / SECOND_MS), progress.longestLookMs);
    const isOver = await clock.sleep(sleepMs, signal).then(
      () => false,
      () => true,
    );
    if (isOver) return null;
  }
}

const SECOND_MS = 1_000;

/** An abort without a reason would make an error with a stack, for nobody. */
const ANSWERED = 'answered';

const cutOff = (reason: unknown): ModelFailure => ({
  kind: 'timeout',
  message: reason instanceof CallTimeout ? reason.message : 'the call was given up',
  status: null,
  retryAfterMs: null,
});

/** What a provider is asked in a call. */
export function requestOf(call: ModelCall): ModelRequest {
  const { model, messages, tools, outputSchema, choice } = call;
  const { temperature, maxTokens, effort, strict, options } = choice;
  const thought = { ...(effort === undefined ? {} : { effort }), ...(strict === undefined ? {} : { strict }) };
  const chosen = tools.length > 0 ? toolChoiceOf(call) : {};
  return { model, messages, tools, ...chosen, outputSchema, temperature, maxTokens, ...thought, options };
}

function toolChoiceOf({ purpose, isClosed, mustCall }: ModelCall): Pick<ModelRequest, 'toolChoice'> {
  if (isClosed === true) return { toolChoice: { type: purpose === 'continuation' ? 'text' : 'none' } };
  if (mustCall === undefined) return {};
  return {
    toolChoice: mustCall === 'required' ? { type: 'required' } : { type: 'tool', name: mustCall.tool, must: true },
  };
}
