import type { ModelFailure, ModelResult } from '../../domain/ports/model.js';
import { isObject } from '../../lib/json.js';
import { survivesJson, usageProblem } from './executor-result.js';

const FINISHES: readonly unknown[] = ['stop', 'tool_calls', 'length', 'content_filter', 'other'];
const KINDS: Readonly<Record<ModelFailure['kind'], true>> = {
  timeout: true,
  rate_limited: true,
  overloaded: true,
  server: true,
  network: true,
  cut_stream: true,
  malformed: true,
  auth: true,
  bad_request: true,
  quota: true,
  context_overflow: true,
  unfilled: true,
};

const isCountOrNull = (value: unknown): boolean =>
  value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0);

function partProblem(part: unknown): string | null {
  if (!isObject(part)) return 'a part that is not an object';
  if (part.type === 'text') return typeof part.text === 'string' ? null : 'a text part without text';
  if (part.type !== 'tool_call')
    return `a part of the type ${JSON.stringify(part.type)}; an answer holds text and tool_call`;
  if (typeof part.id !== 'string' || part.id === '') return 'a tool call without an id';
  if (typeof part.name !== 'string' || part.name === '') return 'a tool call without a name';
  return isObject(part.input) && survivesJson(part.input) ? null : 'a tool call whose input is not a JSON object';
}

function failureProblem(failure: unknown): string | null {
  if (!isObject(failure)) return 'a failure that is not an object';
  if (typeof failure.kind !== 'string' || !Object.hasOwn(KINDS, failure.kind))
    return `a failure of the unknown kind ${JSON.stringify(failure.kind)}`;
  if (typeof failure.message !== 'string' || failure.message === '') return 'a failure without a message';
  if (!isCountOrNull(failure.status)) return 'a failure whose status is neither null nor a number';
  return isCountOrNull(failure.retryAfterMs) ? null : 'a failure whose retryAfterMs is neither null nor a number';
}

/** What is wrong with the result of a model provider, in words; null = nothing. */
export function modelResultProblem(result: ModelResult): string | null {
  const value: unknown = result; // the types say what the contribution promised, not what it gave
  if (!isObject(value) || typeof value.ok !== 'boolean') return 'no result';
  if (!value.ok) return failureProblem(value.failure);
  const { response } = value;
  if (!isObject(response) || !Array.isArray(response.parts)) return 'an answer without parts';
  const part = response.parts.map(partProblem).find((problem) => problem !== null);
  if (part !== undefined) return part;
  if (!FINISHES.includes(response.finish)) return `the unknown finish ${JSON.stringify(response.finish)}`;
  if (typeof response.model !== 'string') return 'an answer that does not name its model';
  return usageProblem(response.usage);
}
