import type {
  ModelCallOptions,
  ModelFailure,
  ModelProvider,
  ModelRequest,
  ModelResponse,
  ModelResult,
} from '../domain/ports/model.js';
import { CallTimeout } from '../domain/ports/system.js';
import { onAbort } from '../lib/on-abort.js';
import { LATER, settledSoon } from '../lib/settled-soon.js';
import { CallProgress, callTimesOf } from './call-times.js';
import { stepTraceParent } from './derive.js';
import type { ModelCall } from './model-call.js';
import { readModelResult } from './model-result.js';
import { ABORTED, raceAbort } from './race-abort.js';
import type { RunServices } from './services.js';
import { StepFailure } from './step-failure.js';
import type { StepContext } from './step-types.js';

/** Whom a call goes to: the model that was asked for, or the n-th of its fallback. */
export interface Chosen {
  readonly at: number;
  readonly call: ModelCall;
  readonly provider: ModelProvider;
}

export async function targetAt(services: RunServices, asked: ModelCall, at: number): Promise<Chosen> {
  const call = at === 0 ? asked : (await import('./fallback.js')).callAt(asked, at);
  const binding = services.snapshot.providers[call.provider];
  if (binding === undefined) throw new Error(`snapshot holds no provider ${call.provider}`);
  const provider = await forTools(call, await services.provider(binding, call.key));
  return { at, call, provider: await forDocuments(call, provider) };
}

/** Null = nobody else may be asked, and most calls have nobody. */
export async function targetAfter(
  services: RunServices,
  asked: ModelCall,
  { at }: Chosen,
  failed: Pick<ModelFailure, 'kind'> | Pick<ModelResponse, 'finish'>,
): Promise<Chosen | null> {
  if (asked.fallback === undefined) return null;
  const next = (await import('./fallback.js')).nextAt(asked, at, 'kind' in failed ? failed.kind : failed.finish);
  return next === null ? null : targetAt(services, asked, next);
}

/** Most calls have no tools, or no schema, and never load this. */
const forTools = async (call: ModelCall, provider: ModelProvider): Promise<ModelProvider> =>
  call.tools.length === 0 || call.outputSchema === null
    ? provider
    : (await import('./answer-tool.js')).besideTools(provider);

/** Few conversations hold a document. */
const forDocuments = async (call: ModelCall, provider: ModelProvider): Promise<ModelProvider> =>
  call.messages.some(({ parts }) => parts.some(({ type }) => type === 'document'))
    ? (await import('./without-documents.js')).takingDocuments(provider, call.provider)
    : provider;

/** One request of a step. */
export interface Target {
  readonly call: ModelCall;
  readonly provider: ModelProvider;
  readonly context: StepContext;
  readonly tries: number;
  readonly progress: CallProgress;
  readonly onLimit?: ModelCallOptions['onLimit'];
}

interface Attempt {
  readonly answer: ModelResult;
  readonly progress: CallProgress;
}

/** One request, once the provider takes it: the time of a call begins when it is sent. */
export async function permitted(services: RunServices, attempt: Omit<Target, 'progress'>): Promise<Attempt> {
  const { limits } = attempt.provider;
  const progress = new CallProgress(callTimesOf(services.snapshot), () => services.clock.now());
  if (limits === undefined || services.limiter === undefined)
    return { progress, answer: await generate(services, { ...attempt, progress }) };
  const { onceAdmitted } = await import('./permit.js');
  const answer = await onceAdmitted(services, { ...attempt, limits }, (onLimit) => {
    progress.begin();
    return generate(services, { ...attempt, progress, onLimit });
  });
  return { progress, answer };
}

async function generate(services: RunServices, target: Target): Promise<ModelResult> {
  const { call, tries } = target;
  const request = requestOf(call);
  const askedAtMs = services.clock.now();
  const result = await sendRequest(services, target, request);
  const { key: stepKey, agentId, skillId, purpose, provider } = call;
  services.onAsked?.({
    ...{ stepKey, agentId, skillId, purpose, provider, tries },
    ...{ askedAtMs, durationMs: Math.max(0, services.clock.now() - askedAtMs), request, result },
  });
  return result;
}

/** What one request comes to: an answer, a failure or the end of its time. */
async function sendRequest(
  services: RunServices,
  { call, provider, context, progress, onLimit }: Target,
  request: ModelRequest,
): Promise<ModelResult> {
  const scope = new AbortController();
  const { signal } = scope;
  if (services.signal.aborted) scope.abort(services.signal.reason);
  try {
    const onText = (text: string): void => services.onText(call.activation, text);
    const heard = onLimit === undefined ? {} : { onLimit };
    const options = progress.listening({ signal, stepId: context.stepId, onText, ...heard });
    const asked = provider.generate(request, {
      ...options,
      // Two digests, for whoever hands it on.
      get traceParent() {
        return stepTraceParent({ ...services, key: call.key, attempt: context.attempt });
      },
    });
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
