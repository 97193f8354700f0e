import type { MessagePart, ModelFailure, ModelResult, ModelUsage } from '../domain/ports/model.js';
import { isReportedCount, isReportedUsd } from '../domain/reported-numbers.js';
import { isDeeper, MAX_DEPTH } from '../lib/is-deeper.js';
import { isObject } from '../lib/json.js';

const FINISHES: readonly unknown[] = ['stop', 'tool_calls', 'length', 'content_filter', 'other'];

/**
 * What a provider hands back is data from outside: an answer of another shape is a failure of the
 * kind `malformed`, and a number that is not a count never reaches a sum.
 */
export function readModelResult(value: ModelResult): ModelResult {
  const problem = problemOf(value);
  return problem === null ? shallow(value) : { ok: false, failure: malformed(problem) };
}

/**
 * Arguments that are nested without end are none, like those that are not JSON: the one call is
 * refused, and nobody walks through them.
 */
function shallow(value: ModelResult): ModelResult {
  if (!value.ok || !value.response.parts.some(isTooDeep)) return value;
  const parts = value.response.parts.map((part) =>
    isTooDeep(part) ? { ...part, input: { __invalid: TOO_DEEP } } : part,
  );
  return { ...value, response: { ...value.response, parts } };
}

const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep`;
const isTooDeep = (part: MessagePart): part is Extract<MessagePart, { type: 'tool_call' }> =>
  part.type === 'tool_call' && isDeeper(part.input);

function malformed(problem: string): ModelFailure {
  return { kind: 'malformed', message: `the provider plugin handed back ${problem}`, status: null, retryAfterMs: null };
}

function problemOf(value: unknown): string | null {
  if (!isObject(value) || typeof value.ok !== 'boolean') return 'no result';
  if (!value.ok)
    return isObject(value.failure) && typeof value.failure.kind === 'string' ? null : 'a failure without a kind';
  const { response } = value;
  if (!isObject(response) || !Array.isArray(response.parts)) return 'an answer without parts';
  if (!response.parts.every(isPart)) return 'a part that is neither text nor a tool call';
  if (!FINISHES.includes(response.finish)) return 'an unknown finish reason';
  return isUsage(response.usage) ? null : 'a usage that holds no counts';
}

function isPart(part: unknown): boolean {
  if (!isObject(part)) return false;
  if (part.type === 'text') return typeof part.text === 'string';
  return (
    part.type === 'tool_call' &&
    typeof part.id === 'string' &&
    typeof part.name === 'string' &&
    part.input !== undefined
  );
}

const COUNTS: readonly (keyof ModelUsage)[] = ['inputTokens', 'outputTokens', 'cachedInputTokens', 'reasoningTokens'];

function isUsage(usage: unknown): boolean {
  if (!isObject(usage)) return false;
  const { costUsd } = usage;
  return (
    COUNTS.every((name) => isReportedCount(usage[name])) &&
    (usage.cacheWriteTokens === undefined || isReportedCount(usage.cacheWriteTokens)) &&
    (costUsd === null || isReportedUsd(costUsd))
  );
}
