import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { defineModelProvider, isObject, type ModelRequest } from '@kit-run/kit/plugin';
import { isObjectSchema } from './families/schema-way.js';
import { own } from './shared/json.js';
import { LOCAL_ONLY } from './wire/body.js';
import { decodeConfig, type ServerConfig } from './wire/config.js';
import type { Family } from './wire/family.js';
import { createWireProvider } from './wire/pipeline.js';

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
function withCachePoints(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
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

/**
 * Anthropic Messages. An output schema goes as a tool that the model has to call: every Claude can
 * do it, with any schema whose root is an object; models that refuse a forced tool get the
 * service's own output format from the library. Thinking excludes a forced tool, so then the schema
 * stands in the prompt. Without `max_tokens` the library sends the limit of the model.
 */
function anthropic(wire: typeof import('@ai-sdk/anthropic')): Family {
  return {
    name: 'anthropic',
    documents: true,
    nest: null,
    reserved: ['stream', 'messages', 'system', 'tools'],
    ignored: () => LOCAL_ONLY,
    // The key is set by the call's fetch; without one here the library would look for a variable of
    // its own.
    model: ({ config, model, fetch }) =>
      wire.createAnthropic({ apiKey: '-', baseURL: config.baseUrl, fetch }).languageModel(model),
    // Arguments come whole: nobody is shown a part of them, and the streamed form need not be JSON.
    flatTools: true,
    libraryOptions: () => ({ structuredOutputMode: 'jsonTool', toolStreaming: false }),
    adorned: (options, { toolChoice }) =>
      withCachePoints(toolChoice?.type === 'tool' && toolChoice.must === true ? options : unforced(options)),
    schemaWay: (request, config) =>
      isObjectSchema(request.outputSchema) && !isThinking(request, config) ? 'request' : 'prompt',
  };
}

function isThinking({ options, effort }: ModelRequest, { extraBody }: ServerConfig): boolean {
  if (effort !== undefined) return true;
  const thinking = own(options, 'thinking') ?? own(extraBody, 'thinking');
  return thinking !== undefined && isObject(thinking) && own(thinking, 'type') !== 'disabled';
}

/**
 * Thinking excludes a forced tool, and so do some models; another choice than that of the turns
 * before costs the cache of the messages. The conversation asks for the answer in words.
 */
function unforced(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { toolChoice, ...rest } = options;
  return toolChoice?.type === 'tool' ? rest : options;
}

/** Model provider `anthropic`: Claude models at Anthropic, over the Messages API. */
export const contribution = defineModelProvider({
  async create(config, context) {
    // Loaded when a run uses such a provider, not when the plugin is listed.
    const [wire, prices] = await Promise.all([import('@ai-sdk/anthropic'), import('@pydantic/genai-prices')]);
    return createWireProvider(anthropic(wire), decodeConfig(config), context, prices);
  },
});
