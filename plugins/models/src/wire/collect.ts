import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import {
  isObject,
  type Json,
  type JsonObject,
  type MessagePart,
  type ModelResponse,
  type ModelUsage,
} from '@kit-run/kit/plugin';
import { parseJson } from '../shared/json.js';
import { type Reasoning, stateField } from './state.js';

/**
 * Takes the pieces of one answer, in order, and makes the answer of them; whole and streamed
 * answers go through here alike.
 */
export interface Collector {
  text(delta: string): void;
  /**
   * A whole block. Without metadata nobody wants it back, and it is dropped: what a model thought
   * is not part of its answer.
   */
  reasoning(text: string, metadata: SharedV4ProviderMetadata | undefined): void;
  call(call: LanguageModelV4ToolCall): void;
  /**
   * The answer. State is kept only beside tool calls: after them the conversation goes on in the
   * same turn. What belongs to the whole message is kept always, at its text, however short.
   */
  response(end: CollectedEnd): ModelResponse;
}

export interface CollectedEnd {
  readonly finish: LanguageModelV4FinishReason;
  readonly usage: LanguageModelV4Usage;
  readonly model: string;
  /** As `Family.returned` gives it. */
  readonly message: JsonObject | null;
}

export function createCollector(family: string): Collector {
  let text = '';
  let textReasoning: readonly Reasoning[] = [];
  let pending: readonly Reasoning[] = [];
  const calls: MessagePart[] = [];
  return {
    text: (delta) => {
      if (text === '' && delta !== '') {
        textReasoning = pending;
        pending = [];
      }
      text += delta;
    },
    reasoning: (thought, metadata) => {
      if (metadata !== undefined) pending = [...pending, { text: thought, metadata: jsonOf(metadata) }];
    },
    call: (call) => {
      const metadata = call.providerMetadata === undefined ? null : jsonOf(call.providerMetadata);
      calls.push({
        type: 'tool_call',
        id: call.toolCallId,
        name: call.toolName,
        input: toolInput(call.input),
        ...stateField(family, { reasoning: pending, metadata, message: null }),
      });
      pending = [];
    },
    response: ({ finish, usage, model, message }) => {
      const reasoning = calls.length === 0 ? [] : textReasoning;
      const state = stateField(family, { reasoning, metadata: null, message });
      const hasText = text !== '' || message !== null;
      return {
        parts: [...(hasText ? [{ type: 'text' as const, text, ...state }] : []), ...calls],
        finish: toFinish(finish),
        usage: toUsage(usage),
        model,
      };
    },
  };
}

/** The content of a whole answer, piece by piece. */
export function collectContent(collector: Collector, content: readonly LanguageModelV4Content[]): void {
  for (const part of content) {
    if (part.type === 'text') collector.text(part.text);
    else if (part.type === 'reasoning') collector.reasoning(part.text, part.providerMetadata);
    else if (part.type === 'tool-call') collector.call(part);
  }
}

/** Metadata is JSON by the library's own type; `undefined` values in it are not, and go. */
function jsonOf(metadata: SharedV4ProviderMetadata): JsonObject {
  return JSON.parse(JSON.stringify(metadata)) as JsonObject;
}

/**
 * No arguments at all mean none; what is not a JSON object is kept as text under `__invalid`, for
 * the engine to answer.
 */
function toolInput(text: string): Json {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  return isObject(value) ? value : { __invalid: text };
}

export function toUsage(usage: LanguageModelV4Usage): ModelUsage {
  const { inputTokens, outputTokens, raw } = usage;
  const cost = raw?.cost;
  const written = inputTokens.cacheWrite ?? writtenOf(raw);
  return {
    inputTokens: inputTokens.total ?? 0,
    outputTokens: outputTokens.total ?? 0,
    cachedInputTokens: inputTokens.cacheRead ?? 0,
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
    reasoningTokens: outputTokens.reasoning ?? 0,
    // OpenRouter and its like put the price of the call into the usage, in USD.
    costUsd: typeof cost === 'number' && Number.isFinite(cost) && cost >= 0 ? cost : null,
    ...(inputTokens.total === undefined && outputTokens.total === undefined ? { unreported: true } : {}),
  };
}

/** Routers in front of several services tell it where OpenAI tells what was read. */
function writtenOf(raw: LanguageModelV4Usage['raw']): number {
  const details = raw?.prompt_tokens_details;
  const written = isObject(details) ? details.cache_write_tokens : undefined;
  return typeof written === 'number' && Number.isSafeInteger(written) && written > 0 ? written : 0;
}

function toFinish(finish: LanguageModelV4FinishReason): ModelResponse['finish'] {
  switch (finish.unified) {
    case 'stop':
    case 'length':
      return finish.unified;
    case 'tool-calls':
      return 'tool_calls';
    case 'content-filter':
      return 'content_filter';
    default:
      return 'other';
  }
}
