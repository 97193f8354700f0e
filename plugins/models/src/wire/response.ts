import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import { isObject, type Json, type ModelResponse, type ModelUsage } from '@kit-run/kit/plugin';
import { parseJson } from '../shared/json.js';

/**
 * No arguments at all mean none; what is not a JSON object is kept as text under `__invalid`, for
 * the engine to answer.
 */
export function toolInput(text: string): Json {
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

export function toFinish(finish: LanguageModelV4FinishReason): ModelResponse['finish'] {
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
