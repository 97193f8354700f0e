import { defineModelProvider, type ModelMessage, type ToolSpec } from '@kit-run/kit/plugin';
import { isObjectSchema } from './families/schema-way.js';
import { textOf } from './shared/conversation.js';
import { LOCAL_ONLY } from './wire/body.js';
import { decodeConfig } from './wire/config.js';
import type { Family } from './wire/family.js';
import { isStrictSchema, wireSchema } from './wire/output-schema.js';
import { createWireProvider } from './wire/pipeline.js';

/** Model provider `openai`: models at OpenAI, over the Responses API. */
export const contribution = defineModelProvider({
  async create(config, context) {
    // Loaded when a run uses such a provider, not when the plugin is listed.
    const [wire, prices, crypto] = await Promise.all([
      import('@ai-sdk/openai'),
      import('@pydantic/genai-prices'),
      import('node:crypto'),
    ]);
    return createWireProvider(openai(wire, crypto), decodeConfig(config), context, prices);
  },
});

/**
 * OpenAI itself, over the Responses API: reasoning models take tools there in every case, and the
 * library knows which of them refuse a temperature. `store: false`: a run is kept in the journal of
 * kit and not at the service; the reasoning that belongs to a tool call comes encrypted and goes
 * back with it. A server that only speaks chat completions is `openai-compatible`.
 */
function openai(wire: typeof import('@ai-sdk/openai'), crypto: typeof import('node:crypto')): Family {
  return {
    name: 'openai',
    documents: true,
    nest: null,
    reserved: ['stream', 'input', 'tools'],
    ignored: () => LOCAL_ONLY,
    // The key is set by the call's fetch; without one here the library would look for a variable of
    // its own.
    model: ({ config, model, fetch }) =>
      wire.createOpenAI({ apiKey: '-', baseURL: config.baseUrl, fetch }).responses(model),
    embedding: ({ config, model, fetch }) =>
      wire.createOpenAI({ apiKey: '-', baseURL: config.baseUrl, fetch }).embeddingModel(model),
    flatTools: true,
    libraryOptions: ({ messages, tools, outputSchema }) => ({
      store: false,
      ...(tools.length === 0 ? {} : { promptCacheKey: prefixKey(crypto, messages, tools) }),
      ...(outputSchema === null ? {} : { strictJsonSchema: isStrictSchema(wireSchema(outputSchema)) }),
    }),
    schemaWay: ({ outputSchema }, { capabilities }) =>
      capabilities.structuredOutput && isObjectSchema(outputSchema) ? 'request' : 'prompt',
  };
}

/**
 * Names what requests of one agent begin with, so that a service with many machines sends them to
 * the one whose cache holds it: a digest of the system text and the names of the tools.
 */
function prefixKey(
  { hash }: typeof import('node:crypto'),
  messages: readonly ModelMessage[],
  tools: readonly ToolSpec[],
): string {
  const system = messages.filter(({ role }) => role === 'system').map(textOf);
  const text = JSON.stringify([system, tools.map(({ name }) => name)]);
  return hash('sha256', text, 'hex').slice(0, 32);
}
