import { addUsage } from '../domain/fold-usage.js';
import type { EventPayloads } from '../domain/generated/events.js';
import type { Usage } from '../domain/job.js';
import type { Json } from '../domain/json.js';
import type { MessagePart, ModelFailure, ModelProvider, ModelResponse, ModelUsage } from '../domain/ports/model.js';
import { isReportedCount } from '../domain/reported-numbers.js';
import { type RunSnapshot, ruleSetOf } from '../domain/snapshot.js';
import type { Soon } from '../lib/soon.js';
import { checkEvents } from './answer-check.js';
import type { ContextUse } from './context/room.js';
import type { AnswerCheck, ModelCall, ModelValue, ServedBy } from './model-ask.js';
import type { NewEvent } from './new-event.js';
import type { StepEnd } from './step-types.js';

const isToolCall = ({ type }: MessagePart): boolean => type === 'tool_call';

/** How one call went. */
export interface CallFacts {
  readonly retries: number;
  readonly durationMs: number;
  /** What attempts used that came to nothing; null or absent = nothing. */
  readonly lost?: Usage | null;
}

/** How often an answer that the output limit cut off is asked to go on. */
const MAX_CONTINUATIONS = 2;

/** The output limit ended the answer in its text. What it cut in a call, the call says. */
export const isCut = ({ finish, parts }: Pick<ModelResponse, 'finish' | 'parts'>): boolean =>
  finish === 'length' && parts.every(({ type }) => type !== 'tool_call');

/** Whether this run asks such an answer to go on; before rule set 2 it was an answer. */
export const isCutOff = (snapshot: RunSnapshot, answer: Pick<ModelResponse, 'finish' | 'parts'>): boolean =>
  ruleSetOf(snapshot) >= 2 && isCut(answer);

/** The step of a call that was answered. */
export function answered(snapshot: RunSnapshot, call: ModelCall, answer: Answer): Soon<StepEnd<ModelValue>> {
  const { response, provider, facts } = answer;
  const price = provider.price(call.model, response.usage);
  const used = priced(response.usage, price);
  const usage = facts.lost == null ? used : addUsage(used, facts.lost);
  if (response.finish === 'content_filter') return withheldEnd(call, usage, facts);
  const cutOff = isCutOff(snapshot, response);
  const context = contextUse(provider, call.model, response.usage);
  if (cutOff && ((call.soFar?.cuts ?? 0) >= MAX_CONTINUATIONS || textOf(response.parts).trim() === ''))
    return truncatedEnd(call, usage, facts);
  // Where no tool may be called a call that comes all the same is no reason to let the text
  // through unjudged.
  const isJudged =
    call.check !== null &&
    !cutOff &&
    (call.tools.length === 0 || call.isClosed === true || !response.parts.some(isToolCall));
  const wholeEnd = (check: AnswerCheck | null) => checkedEnd(call, answer, { check, context, price, usage });
  return isJudged && call.check !== null
    ? call.check(`${call.soFar?.text ?? ''}${textOf(response.parts)}`).then(wholeEnd)
    : wholeEnd(null);
}

interface Answer {
  readonly response: ModelResponse;
  readonly provider: ModelProvider;
  readonly facts: CallFacts;
  readonly reads: readonly string[];
}

interface Judged {
  readonly check: AnswerCheck | null;
  readonly context: ContextUse | null;
  readonly price: number | null;
  readonly usage: Usage;
}

/** The end of a call whose answer is whole. */
function checkedEnd(
  call: ModelCall,
  { response, provider, facts, reads }: Answer,
  { check, context, price, usage }: Judged,
): StepEnd<ModelValue> {
  const called = calledEvent(call, {
    status: 'ok',
    reason: null,
    usage,
    toolCalls: response.parts.filter(isToolCall).length,
    facts,
    finish: response.finish,
    sources: response.annotations?.sources,
    cache: cacheFacts(response.usage, { price, uncached: uncachedPrice(provider, call.model, response.usage) }),
  });
  return {
    outcome: {
      status: 'ok',
      value: {
        parts: response.parts,
        finish: response.finish,
        check,
        ...(reads.length === 0 ? {} : { reads }),
        ...(call.askedOf === undefined ? {} : { served_by: servedBy(call) }),
        ...(context === null ? {} : { context }),
      },
    },
    usage,
    events: [called, ...(check === null || (!check.valid && !call.checkIsFinal) ? [] : checkEvents(call, check))],
  };
}

/** null = nobody knows how large the window of the model is. */
function contextUse(provider: ModelProvider, model: string, usage: ModelUsage): ContextUse | null {
  const window = provider.contextWindow?.(model) ?? null;
  if (window === null || !isReportedCount(window) || window === 0) return null;
  return { window, used: usage.unreported === true ? null : usage.inputTokens + usage.outputTokens };
}

/** What was let through of a withheld answer is not an answer. */
function withheldEnd(call: ModelCall, usage: Usage, facts: CallFacts): StepEnd<ModelValue> {
  const reason = 'provider.content_filter';
  return {
    outcome: { status: 'failed', reason, message: `${call.provider}: the provider withheld the answer` },
    usage,
    events: [calledEvent(call, { status: 'failed', reason, usage, toolCalls: 0, facts, finish: 'content_filter' })],
  };
}

/** An answer that does not end within its limit, or used it up before the first word, is none. */
function truncatedEnd(call: ModelCall, usage: Usage, facts: CallFacts): StepEnd<ModelValue> {
  const { outputTokens, reasoningTokens } = usage;
  const thinking = reasoningTokens === 0 ? '' : `, ${reasoningTokens} of them of its thinking`;
  const message =
    call.soFar === undefined
      ? `the output limit was used up before the answer began (${outputTokens} tokens${thinking})`
      : `the answer was cut off at the output limit ${call.soFar.cuts + 1} times, asked to go on each time (${outputTokens} tokens at last${thinking})`;
  const reason = 'truncated';
  return {
    outcome: { status: 'failed', reason, message: `${call.provider}: ${message}` },
    usage,
    events: [calledEvent(call, { status: 'failed', reason, usage, toolCalls: 0, facts, finish: 'length' })],
  };
}

/** The step of a call that came to nothing, with what it used all the same. */
export function failedEnd(call: ModelCall, failure: ModelFailure, facts: CallFacts): StepEnd<ModelValue> {
  const usage = facts.lost ?? null;
  const reason = failure.kind === 'unfilled' ? 'rules.unfilled' : `provider.${failure.kind}`;
  return {
    outcome: {
      status: 'failed',
      reason,
      message: `${call.provider}: ${failure.message}`,
      data: { status: failure.status, retries: facts.retries },
    },
    usage,
    events: [calledEvent(call, { status: 'failed', reason, usage, toolCalls: 0, facts, finish: null })],
  };
}

/** What a call used, with its price where the provider did not say one. */
export function priced(usage: ModelUsage, price: number | null): Usage {
  return {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cachedInputTokens: usage.cachedInputTokens,
    reasoningTokens: usage.reasoningTokens,
    costUsd: usage.costUsd ?? price,
  };
}

type CacheFacts = Pick<EventPayloads['model.called'], 'cache_write_tokens' | 'saved_usd'>;

/** True where the provider read a cache, or wrote one. */
export const usesCache = ({ cachedInputTokens, cacheWriteTokens = 0 }: ModelUsage): boolean =>
  cachedInputTokens + cacheWriteTokens > 0;

/** What the same tokens cost without a cache; undefined: there was none, and nobody is asked. */
export const uncachedPrice = (provider: ModelProvider, model: string, usage: ModelUsage): number | null | undefined =>
  usesCache(usage) ? provider.price(model, { ...usage, cachedInputTokens: 0, cacheWriteTokens: 0 }) : undefined;

/**
 * What the cache of a provider came to. A provider that tells the price of a call knows best, and
 * its table says nothing of what was saved.
 */
function cacheFacts(
  { cacheWriteTokens = 0, costUsd }: ModelUsage,
  { price, uncached }: { readonly price: number | null; readonly uncached: number | null | undefined },
): CacheFacts {
  return {
    ...(cacheWriteTokens === 0 ? {} : { cache_write_tokens: cacheWriteTokens }),
    ...(uncached == null || price === null || costUsd !== null ? {} : { saved_usd: uncached - price }),
  };
}

/** Who asked whom, and what for. */
interface Asking extends Pick<ModelCall, 'agentId' | 'skillId' | 'provider' | 'model' | 'askedOf'> {
  readonly purpose: EventPayloads['model.called']['purpose'];
}

interface CalledFacts {
  readonly status: 'ok' | 'failed';
  readonly reason: string | null;
  readonly usage: Usage | null;
  readonly toolCalls: number;
  readonly facts: CallFacts;
  /** Why the answer ended; null = there was none. */
  readonly finish: ModelResponse['finish'] | null;
  readonly sources?: Json | undefined;
  /** Absent: the provider read and wrote no cache. */
  readonly cache?: CacheFacts;
}

/** The one event of a call of a model, whatever it was asked for. */
export function calledEvent(call: Asking, called: CalledFacts): NewEvent {
  const { usage, facts } = called;
  const asked = call.askedOf ?? call;
  return {
    type: 'model.called',
    agentId: call.agentId,
    skillId: call.skillId,
    // In the canonical order: most calls tell no more, and are text in one go.
    payload: {
      cached_input_tokens: usage?.cachedInputTokens ?? 0,
      cost_usd: usage?.costUsd ?? null,
      duration_ms: facts.durationMs,
      finish: called.finish,
      input_tokens: usage?.inputTokens ?? 0,
      model: asked.model,
      output_tokens: usage?.outputTokens ?? 0,
      provider: asked.provider,
      purpose: call.purpose,
      reason: called.reason,
      reasoning_tokens: usage?.reasoningTokens ?? 0,
      retries: facts.retries,
      status: called.status,
      tool_calls: called.toolCalls,
      ...(call.askedOf === undefined ? {} : { served_by: servedBy(call) }),
      ...(usage?.estimated === true ? { estimated: true } : {}),
      ...called.cache,
      ...(called.sources === undefined ? {} : { sources: called.sources }),
    },
  };
}

/** The text of an answer: all text parts, joined. */
export function textOf(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

const servedBy = ({ provider, model }: ServedBy): ServedBy => ({ provider, model });
