import type { Usage } from '../domain/job.js';
import type { StepOutcome } from '../domain/journal.js';
import type { Json, JsonSchema } from '../domain/json.js';
import type {
  MessagePart,
  ModelCallOptions,
  ModelMessage,
  ModelProvider,
  ModelResponse,
  ModelResult,
  ToolSpec,
} from '../domain/ports/model.js';
import type { ModelChoice } from '../domain/workspace.js';
import { CallProgress, callTimesOf } from './call-times.js';
import type { ContextUse } from './context/room.js';
import type { OfferedTools } from './describe-tools.js';
import { answered, failedEnd, isCutOff } from './model-ends.js';
import { outageOf } from './outage.js';
import type { Outages } from './outage-patience.js';
import { retryDelayMs } from './retry.js';
import { requestOf, sendRequest } from './send-request.js';
import { numberOf, type RunServices, type SchemaError } from './services.js';
import type { StepContext, StepEnd } from './step-types.js';
import { Unfinished } from './unfinished.js';

/**
 * One model call as an agent or a skill makes it (docs/design/execution.md#output-schema).
 */
export interface ModelCall {
  readonly key: string;
  readonly agentId: string;
  readonly skillId: string | null;
  readonly purpose: 'turn' | 'correction' | 'skill' | 'continuation' | 'summary';
  /**
   * What earlier steps of the same answer gave before the output limit cut it off; absent = this is
   * its beginning.
   */
  readonly soFar?: AnswerSoFar;
  /** Units of the step budget; 0 for what no agent asked for. Default 1. */
  readonly units?: 0 | 1;
  /** Provider id of the snapshot, and model name. */
  readonly provider: string;
  readonly model: string;
  readonly choice: ModelChoice;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  /** The agent is to answer now: its tools are there for the conversation alone. Absent: false. */
  readonly isClosed?: boolean;
  /** What the answer has to be a call of; says nothing where there are no tools. */
  readonly mustCall?: NonNullable<ModelChoice['firstCall']>;
  /**
   * What only the servers of tools know of them, asked inside the step, where its failure is the
   * step's. Absent: nobody needs to be asked.
   */
  readonly describe?: () => Promise<OfferedTools>;
  readonly outputSchema: JsonSchema | null;
  /** Judges an answer without tool calls; null = any answer will do. */
  readonly check: ((text: string) => Promise<AnswerCheck>) | null;
  /**
   * False while tools are on offer: an answer that does not fit then is not an attempt yet, and is
   * not reported as one.
   */
  readonly checkIsFinal: boolean;
  /** Corrections already spent; with `corrections` of them an invalid answer is final. */
  readonly attempt: number;
  readonly corrections: number;
  readonly activation: string;
}

/** What there is of an answer, and how often it was cut off. */
interface AnswerSoFar {
  readonly text: string;
  readonly cuts: number;
}

export type AnswerCheck =
  | { readonly valid: true; readonly value: Json }
  | { readonly valid: false; readonly errors: readonly SchemaError[] };

/** What a model step records. */
export type ModelValue = {
  readonly parts: readonly MessagePart[];
  readonly finish: ModelResponse['finish'];
  readonly check: AnswerCheck | null;
  /** As in `OfferedTools`; absent: none. */
  readonly reads?: readonly string[];
  /** How full the window of the model was; absent: nobody knows how large it is. */
  readonly context?: ContextUse;
};

/**
 * One whole answer of a model, in a step of its own; each part of an answer that the output limit
 * cuts off is one more.
 */
export async function callModel(services: RunServices, call: ModelCall): Promise<StepOutcome<ModelValue>> {
  const outcome = await askModel(services, call);
  if (outcome.status === 'failed' || !isCutOff(services.snapshot, outcome.value)) return outcome;
  // Most answers are whole, and never load this.
  const { goOnWithAnswer } = await import('./cut-answer.js');
  return goOnWithAnswer({ call, cut: outcome.value, ask: (next) => askModel(services, next) });
}

/**
 * Runs, or replays, one model call as a step of its own. Retries of passing failures happen inside
 * the step.
 */
function askModel(services: RunServices, call: ModelCall): Promise<StepOutcome<ModelValue>> {
  const identity = {
    provider: call.provider,
    model: call.model,
    tools: call.tools.map((tool) => tool.name),
    structured: call.outputSchema !== null,
    purpose: call.purpose,
  };
  return services.steps.run<ModelValue>(
    {
      key: call.key,
      kind: 'model',
      identity,
      effects: 'read',
      onInDoubt: 'repeat',
      agentId: call.agentId,
      units: call.units ?? 1,
    },
    async (context) => attemptCall(services, call, context),
  );
}

async function attemptCall(services: RunServices, call: ModelCall, context: StepContext): Promise<StepEnd<ModelValue>> {
  const { stepId } = context;
  const startedAt = services.clock.now();
  const binding = services.snapshot.providers[call.provider];
  if (binding === undefined) throw new Error(`snapshot holds no provider ${call.provider}`);
  const provider = await forTools(call, await services.provider(binding, call.key));
  const { tools, reads } =
    call.describe === undefined
      ? { tools: call.tools, reads: [] }
      : await call.describe().catch(async (error: unknown) => {
          // A server of tools that is down when a turn begins is waited for.
          const { serverDown } = await import('./skills/tool-outage.js');
          await (await outagesOfCall(services, call, context)).waitFor(serverDown(error));
          throw error;
        });
  // Tries before it waited for a provider that was down; from then on a try is one request.
  const earlier = outageOf(context.notes)?.tries ?? 0;
  let retries = 0;
  let lost = (context.notes.lost as Usage | undefined) ?? null;
  for (;;) {
    const tries = earlier + retries + 1;
    const asked = { ...call, tools };
    const { answer, progress } = await permitted(services, { call: asked, provider, context, tries });
    if (services.signal.aborted) throw new Unfinished('abort');
    const facts = { retries: earlier + retries, durationMs: services.clock.now() - startedAt, lost };
    // An answer that came with the stop is paid for, and kept; the next boundary sees the stop.
    if (answer.ok) return answered(services.snapshot, call, { response: answer.response, provider, facts, reads });
    const { giveUp, lostWith } = await import('./lost-usage.js');
    lost = lostWith(lost, { request: requestOf(asked), failure: answer.failure, progress, provider });
    if (services.stops?.signal.aborted === true) return giveUp(context, lost);
    // Most calls are answered, and never load this.
    const outages = await outagesOfCall(services, call, context);
    const delayMs = retryDelayMs(answer.failure, {
      done: retries,
      max: earlier > 0 ? 0 : numberOf(services.snapshot, 'KIT_MODEL_RETRIES'),
      longestMs: Math.min(callTimesOf(services.snapshot).wholeMs, LONGEST_ADVICE_MS, outages.longestPauseMs),
      seed: stepId,
    });
    if (delayMs === null) {
      const { providerDown } = await import('./outage-patience.js');
      const down = providerDown(answer.failure);
      if (down !== null && lost !== null) await context.note({ lost });
      await outages.waitFor(down);
      return failedEnd(call, answer.failure, { ...facts, lost });
    }
    retries += 1;
    const { pauseFor } = await import('./pause-for.js');
    await pauseFor(services, delayMs);
    if (services.signal.aborted) throw new Unfinished('abort');
    // Whoever stops the run, or leaves it to another process, asks for no further request.
    if (await services.stopRequested()) return giveUp(context, lost);
  }
}

/** Most calls have no tools, or no schema, and never load this. */
const forTools = async (call: ModelCall, provider: ModelProvider): Promise<ModelProvider> =>
  call.tools.length === 0 || call.outputSchema === null
    ? provider
    : (await import('./answer-tool.js')).besideTools(provider);

/** What no agent asked for is not waited for. */
async function outagesOfCall(services: RunServices, call: ModelCall, context: StepContext): Promise<Outages> {
  const { outagesOf } = await import('./outage-patience.js');
  return outagesOf(services, { ...call, isAwaited: call.units !== 0 }, context);
}

/** What asks for a longer pause is not waited for within the call. */
const LONGEST_ADVICE_MS = 300_000;

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
async function permitted(services: RunServices, attempt: Omit<Target, 'progress'>): Promise<Attempt> {
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
    ...{ askedAtMs, durationMs: services.clock.now() - askedAtMs, request, result },
  });
  return result;
}
