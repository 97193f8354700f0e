import { messageOf } from '../domain/errors.js';
import type {
  ModelCallOptions,
  ModelFailure,
  ModelProvider,
  ModelRequest,
  ModelResponse,
  ModelResult,
} from '../domain/ports/model.js';
import { CallTimeout, elapsedMs } from '../domain/ports/system.js';
import { onAbort } from '../lib/on-abort.js';
import { LATER, settledSoon } from '../lib/settled-soon.js';
import type { CallProgress } from './call-times.js';
import { stepTraceParent } from './derive.js';
import type { ModelCall } from './model-ask.js';
import { readModelResult } from './model-result.js';
import { eachSecond } from './second-hand.js';
import { holdsDocument } from './seen-documents.js';
import type { RunServices } from './services.js';
import { StepFailure } from './step-failure.js';
import type { StepContext } from './step-types.js';

/** Whom a call goes to: the model that was asked for, or the n-th of its fallback. */
export interface Chosen {
  readonly at: number;
  readonly call: ModelCall;
  readonly provider: ModelProvider;
}

/** Most calls go to the model that was asked for. */
export function targetAt(services: RunServices, asked: ModelCall, at: number): Promise<Chosen> {
  return at === 0
    ? chosen(services, asked, at)
    : import('./fallback.js').then(({ callAt }) => chosen(services, callAt(asked, at), at));
}

function chosen(services: RunServices, call: ModelCall, at: number): Promise<Chosen> {
  const binding = services.snapshot.providers[call.provider];
  if (binding === undefined) throw new Error(`snapshot holds no provider ${call.provider}`);
  return services
    .provider(binding, call.key)
    .then((provider) =>
      isPlain(call)
        ? { at, call, provider }
        : adapted(call, provider).then((fitting) => ({ at, call, provider: fitting })),
    );
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

const hasToolsAndSchema = ({ tools, outputSchema }: ModelCall): boolean => tools.length > 0 && outputSchema !== null;

/** Most calls are, and never load what follows. */
const isPlain = (call: ModelCall): boolean => !hasToolsAndSchema(call) && !withDocument(call);

const withDocument = (call: ModelCall): boolean => call.holdsDocument ?? holdsDocument(call.messages);

async function adapted(call: ModelCall, provider: ModelProvider): Promise<ModelProvider> {
  const beside = hasToolsAndSchema(call) ? (await import('./answer-tool.js')).besideTools(provider) : provider;
  return withDocument(call) ? (await import('./without-documents.js')).takingDocuments(beside, call.provider) : beside;
}

/** One request of a step. */
export interface Target {
  readonly call: ModelCall;
  readonly provider: ModelProvider;
  readonly context: StepContext;
  readonly tries: number;
  readonly progress: CallProgress;
  readonly onLimit?: ModelCallOptions['onLimit'];
}

/** One request, once the provider takes it: the time of a call begins when it is sent. */
export function permitted(services: RunServices, target: Target): Promise<ModelResult> {
  const { limits } = target.provider;
  return limits === undefined || services.limiter === undefined
    ? generate(services, target)
    : onceTaken(services, { ...target, limits });
}

async function onceTaken(
  services: RunServices,
  target: Target & { readonly limits: NonNullable<ModelProvider['limits']> },
): Promise<ModelResult> {
  const { onceAdmitted } = await import('./permit.js');
  return onceAdmitted(services, target, (onLimit) => {
    target.progress.begin();
    return generate(services, { ...target, onLimit });
  });
}

async function generate(services: RunServices, target: Target): Promise<ModelResult> {
  const { call, tries } = target;
  const request = requestOf(call);
  const askedAtMs = services.clock.now();
  let result: ModelResult;
  try {
    const { progress } = target;
    const scope = new AbortController();
    const asked = sendRequest(services, target, { request, scope });
    const soon = scope.signal.aborted ? LATER : await settledSoon(asked);
    result = readModelResult(soon === LATER ? await answerInTime(services, asked, { scope, progress }) : soon);
  } catch (error) {
    if (error instanceof StepFailure) throw error;
    result = { ok: false, failure: { kind: 'malformed', message: messageOf(error), status: null, retryAfterMs: null } };
  }
  const { key: stepKey, agentId, skillId, purpose, provider } = call;
  services.onAsked?.({
    ...{ stepKey, agentId, skillId, purpose, provider, tries },
    ...{ askedAtMs, durationMs: Math.max(0, services.clock.now() - askedAtMs), request, result },
  });
  return result;
}

/** The answer of the provider, whenever it comes. */
function sendRequest(
  services: RunServices,
  { call, provider, context, progress, onLimit }: Target,
  { request, scope }: { readonly request: ModelRequest; readonly scope: AbortController },
): Promise<ModelResult> {
  const { signal } = scope;
  if (services.signal.aborted) scope.abort(services.signal.reason);
  const onText = (text: string): void => services.onText(call.activation, text);
  const heard = onLimit === undefined ? {} : { onLimit };
  const options = progress.listening({ signal, stepId: context.stepId, onText, ...heard });
  const traced = { jobId: services.jobId, traceParent: services.traceParent, key: call.key, attempt: context.attempt };
  return provider.generate(request, new TracedOptions(options, traced));
}

/**
 * The options of one call, with the trace of its step: two digests, made for whoever hands it on.
 * All of them share one getter, as a property of their own that survives `{ ...options }`. An
 * object literal with a getter has a hidden class of its own, in V8's old space, and with it all
 * that the getter closes over: a run that has ended would stay until the next full collection.
 */
class TracedOptions implements ModelCallOptions {
  declare readonly signal: AbortSignal;
  declare readonly stepId: string;
  declare readonly traceParent: string;
  readonly #step: Parameters<typeof stepTraceParent>[0];

  constructor(options: ModelCallOptions, step: Parameters<typeof stepTraceParent>[0]) {
    Object.assign(this, options);
    this.#step = step;
    Object.defineProperty(this, 'traceParent', TracedOptions.#getter);
  }

  static readonly #getter: PropertyDescriptor & ThisType<TracedOptions> = {
    enumerable: true,
    get() {
      return stepTraceParent(this.#step);
    },
  };
}

/**
 * Ends the scope of a call by the run's own, when a person stops the run, and when its time is
 * over: whoever ignores that does not hold the run.
 */
function answerInTime(
  { signal, stops, clock }: Pick<RunServices, 'signal' | 'clock' | 'stops'>,
  asked: Promise<ModelResult>,
  { scope, progress }: { readonly scope: AbortController; readonly progress: CallProgress },
): Promise<ModelResult> {
  return new Promise((resolve, reject) => {
    const unsubscribes: (() => void)[] = [];
    const over = (): void => {
      for (const unsubscribe of unsubscribes.splice(0)) unsubscribe();
    };
    const cut = (reason: unknown): void => {
      scope.abort(reason);
      resolve({ ok: false, failure: cutOff(reason) });
      over();
    };
    if (signal.aborted) return cut(signal.reason);
    asked.then(
      (answer) => {
        over();
        resolve(answer);
      },
      (error: unknown) => {
        over();
        reject(error);
      },
    );
    unsubscribes.push(
      onAbort(signal, () => cut(signal.reason)),
      eachSecond(clock, () => {
        const { atMs, message } = progress.due();
        if (atMs <= elapsedMs(clock)) cut(new CallTimeout(message));
      }),
    );
    if (stops === undefined) return;
    // The look that it begins with may see a stop at once.
    unsubscribes.push(onAbort(stops.signal, () => cut(stops.signal.reason)));
    if (!stops.signal.aborted) unsubscribes.push(stops.watch());
  });
}

const cutOff = (reason: unknown): ModelFailure => ({
  kind: 'timeout',
  message: reason instanceof CallTimeout ? reason.message : 'the call was aborted',
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
