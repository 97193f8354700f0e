import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';

/** Lives for five minutes from its last use, which is longer than tools usually take. */
const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** From so many answers on what has no tools is a talk that goes on, and no question put again. */
const CONVERSATION_ANSWERS = 2;

/**
 * Where Anthropic may keep what a conversation begins with: after the tools, the system text and
 * the newest message. A call that goes on from there reads it for a tenth of the price. Writing
 * costs a quarter more, so only a conversation with tools gets them, which is asked again with each
 * result, and a talk with a person: most others are asked once.
 */
export function withCachePoints(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { tools = [], prompt } = options;
  if (tools.length === 0 && prompt.filter(({ role }) => role === 'assistant').length < CONVERSATION_ANSWERS)
    return options;
  const system = prompt.findLastIndex(({ role }) => role === 'system');
  return {
    ...options,
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool, index) => (index === tools.length - 1 ? { ...tool, providerOptions } : tool)) }),
    prompt: prompt.map((message, index) =>
      index === system || index === prompt.length - 1 ? { ...message, providerOptions } : message,
    ),
  };
}
