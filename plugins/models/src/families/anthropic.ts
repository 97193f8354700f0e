import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { isObject, type ModelRequest } from '@kit-run/kit/plugin';
import { own } from '../shared/json.js';
import { LOCAL_ONLY } from '../wire/body.js';
import type { ServerConfig } from '../wire/config.js';
import type { Family } from '../wire/family.js';
import { withCachePoints } from './cache-points.js';
import { isObjectSchema } from './schema-way.js';

/**
 * Anthropic Messages. An output schema goes as a tool that the model has to call: every Claude can
 * do it, with any schema whose root is an object; models that refuse a forced tool get the
 * service's own output format from the library. Thinking excludes a forced tool, so then the schema
 * stands in the prompt. Without `max_tokens` the library sends the limit of the model.
 */
export function anthropic(wire: typeof import('@ai-sdk/anthropic')): Family {
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
    // Arguments come whole: nobody is shown a part of them, and the streamed form may be no JSON.
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
