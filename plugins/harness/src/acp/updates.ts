import { isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import { asCount, asUsd, callStatus } from '../interpret/fields.js';
import type { MappedEvent, ResultStatus, UsageReport } from '../interpret/mapped-event.js';
import type { AcpCall } from './calls.js';
import type { RpcAnswer } from './rpc.js';

/** Characters of a call's summary that are kept. */
const MAX_SUMMARY_CHARS = 500;
const UNREPORTED: UsageReport = {
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  reasoningTokens: null,
  costUsd: null,
};

/** A piece of a message of the assistant; null: the update is another one. */
export function messageOf(update: JsonObject): MappedEvent | null {
  if (update.sessionUpdate !== 'agent_message_chunk' || !isObject(update.content)) return null;
  const { type, text } = update.content;
  // An empty one carries something else, and is not a message of its own.
  return type === 'text' && typeof text === 'string' && text !== ''
    ? { type: 'message', role: 'assistant', text, delta: true }
    : null;
}

/** The beginning of a call, or its end. Its name is its kind: a title is words of a model. */
export function callEvent(call: AcpCall, output: string | null): MappedEvent {
  const summary = output ?? (call.input === null ? call.title : JSON.stringify(call.input));
  return {
    type: 'tool_call',
    id: call.id,
    tool: call.kind,
    summary: summary.slice(0, MAX_SUMMARY_CHARS),
    status: callStatus(call.status),
  };
}

/** Texts that a call shows as what came of it. */
export function outputOf(content: Json | undefined): string | null {
  if (!Array.isArray(content)) return null;
  const texts = content.flatMap((entry: Json) => {
    const inner = isObject(entry) && isObject(entry.content) ? entry.content.text : undefined;
    return typeof inner === 'string' ? [inner] : [];
  });
  return texts.length === 0 ? null : texts.join('');
}

/** What the session has cost so far, in all its processes; null: the update does not say. */
export function costOf(update: JsonObject): number | null {
  const { cost } = update;
  if (update.sessionUpdate !== 'usage_update' || !isObject(cost) || cost.currency !== 'USD') return null;
  return asUsd(cost.amount);
}

export const costEvent = (costUsd: number): MappedEvent => ({
  type: 'usage',
  key: 'cost',
  replaces: null,
  report: { ...UNREPORTED, costUsd },
});

/**
 * The tokens of one prompt: `usage`, or what the Gemini CLI says in its place; [] = unreported.
 * They stand in the place of what was reported answer by answer, under the key `replaces`.
 */
export function usageEvents(result: JsonObject, replaces: string): readonly MappedEvent[] {
  const meta = isObject(result._meta) && isObject(result._meta.quota) ? result._meta.quota.token_count : undefined;
  const report = isObject(result.usage) ? standardUsage(result.usage) : isObject(meta) ? quotaUsage(meta) : null;
  return report === null ? [] : [{ type: 'usage', key: null, replaces, report }];
}

/** The tokens of one answer of the model, as Qwen Code reports them beside it; null: unreported. */
export function answerUsage(update: JsonObject): UsageReport | null {
  const meta = isObject(update._meta) ? update._meta.usage : undefined;
  return update.sessionUpdate === 'agent_message_chunk' && isObject(meta) ? standardUsage(meta) : null;
}

const standardUsage = (usage: JsonObject): UsageReport => ({
  ...UNREPORTED,
  inputTokens: asCount(usage.inputTokens),
  outputTokens: asCount(usage.outputTokens),
  cachedTokens: asCount(usage.cachedReadTokens),
  reasoningTokens: asCount(usage.thoughtTokens),
});

const quotaUsage = (count: JsonObject): UsageReport => ({
  ...UNREPORTED,
  inputTokens: asCount(count.input_tokens),
  outputTokens: asCount(count.output_tokens),
});

const STATUSES: Readonly<Record<string, ResultStatus>> = {
  end_turn: 'success',
  max_turn_requests: 'budget_exceeded',
  max_tokens: 'failure',
  refusal: 'failure',
  cancelled: 'cancelled',
};

/** How a prompt ended. A word that nobody knows is not a success. */
export function resultEvent(result: JsonObject): MappedEvent {
  const word = typeof result.stopReason === 'string' ? result.stopReason : '';
  const status = Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
  const isDone = status === 'success';
  return {
    type: 'result',
    status: status ?? 'failure',
    output: null,
    reason: isDone ? null : status === undefined ? 'unknown_status' : word === 'max_turn_requests' ? 'max_turns' : word,
    message: isDone ? null : `the session ended with the stop reason "${word.slice(0, 100)}"`,
    outcome: null,
  };
}

/** A session that could not begin, or whose prompt was answered with an error. */
export const failureEvent = (reason: string, message: string): MappedEvent => ({
  type: 'result',
  status: 'failure',
  output: null,
  reason,
  message,
  outcome: null,
});

/** Error of an agent whose user is not logged in. */
const AUTH_REQUIRED = -32_000;

/** What a refused request comes to. */
export const failed = (reason: string, answer: Extract<RpcAnswer, { ok: false }>): MappedEvent =>
  answer.code === AUTH_REQUIRED
    ? failureEvent('credential_missing', `the program wants a login: ${answer.message}`)
    : failureEvent(reason, answer.message);
