import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import { isList, own } from '../shared/json.js';

/**
 * An error of the server, with its HTTP status and headers; the pipeline reads these fields of
 * every library's errors.
 */
export class OllamaError extends Error {
  override readonly name = 'OllamaError';
  constructor(
    message: string,
    readonly statusCode: number,
    readonly responseHeaders: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/**
 * One chunk of an answer as parts of the language model interface. Throws OllamaError for an error,
 * SyntaxError for what is not a chunk.
 */
export function partsOf(line: string, nextCall: () => string): readonly LanguageModelV4StreamPart[] {
  const chunk: unknown = JSON.parse(line);
  if (!isObject(chunk)) throw new SyntaxError('a chunk that is not an object');
  const error = own(chunk, 'error');
  if (error !== undefined) throw new OllamaError(textIn(error), 500);
  const message = own(chunk, 'message');
  const model = own(chunk, 'model');
  const content = isObject(message) ? own(message, 'content') : undefined;
  const calls = isObject(message) ? own(message, 'tool_calls') : undefined;
  return [
    ...(typeof model === 'string' ? [{ type: 'response-metadata' as const, modelId: model }] : []),
    ...(typeof content === 'string' && content !== ''
      ? [{ type: 'text-delta' as const, id: 'text', delta: content }]
      : []),
    ...(isList(calls) ? calls.map((call) => callPart(call, nextCall())) : []),
    ...(own(chunk, 'done') === true
      ? [{ type: 'finish' as const, finishReason: finishOf(own(chunk, 'done_reason')), usage: usageOf(chunk) }]
      : []),
  ];
}

/** The words of an error, which is a text, or an object with a message. */
export function textIn(error: Json): string {
  if (typeof error === 'string') return error;
  const message = isObject(error) ? own(error, 'message') : undefined;
  return typeof message === 'string' ? message : 'the server reports an error without words';
}

/**
 * Arguments come as an object; older servers give no id, and one of our own follows from the place
 * of the call.
 */
function callPart(call: Json, ownId: string): LanguageModelV4StreamPart {
  const fn = isObject(call) ? own(call, 'function') : undefined;
  const name = isObject(fn) ? own(fn, 'name') : undefined;
  if (!isObject(call) || !isObject(fn) || typeof name !== 'string') throw new SyntaxError('a tool call without a name');
  const id = own(call, 'id');
  const args = own(fn, 'arguments') ?? {};
  return {
    type: 'tool-call',
    toolCallId: typeof id === 'string' && id !== '' ? id : ownId,
    toolName: name,
    input: typeof args === 'string' ? args : JSON.stringify(args),
  };
}

function finishOf(reason: Json | undefined): LanguageModelV4FinishReason {
  if (reason === 'length') return { unified: 'length', raw: 'length' };
  return reason === undefined || reason === 'stop'
    ? { unified: 'stop', raw: 'stop' }
    : { unified: 'other', raw: String(reason) };
}

function usageOf(chunk: JsonObject): LanguageModelV4Usage {
  const count = (key: string): number | undefined => {
    const value = own(chunk, key);
    return typeof value === 'number' ? value : undefined;
  };
  return {
    inputTokens: { total: count('prompt_eval_count'), noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: count('eval_count'), text: undefined, reasoning: undefined },
  };
}
