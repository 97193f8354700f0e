import { defineModelProvider } from '@kit-run/kit/plugin';
import { chatReasoning, returnedFields } from './families/chat-reasoning.js';
import { OLLAMA_ONLY } from './wire/body.js';
import { decodeConfig } from './wire/config.js';
import type { Family } from './wire/family.js';
import { isStrictSchema, wireSchema } from './wire/output-schema.js';
import { createWireProvider } from './wire/pipeline.js';

/** Namespace of our own options within the wire library; never seen on the wire. */
const NAME = 'kit';

/**
 * Any server that speaks OpenAI chat completions: OpenRouter, Groq, Together and every local one.
 */
function openaiCompatible(wire: typeof import('@ai-sdk/openai-compatible')): Family {
  return {
    name: NAME,
    nest: 'options',
    reserved: ['stream', 'stream_options', 'messages', 'tools'],
    // A server for which somebody says what stands at the top level knows the keys of Ollama.
    ignored: ({ liftToRoot }) => (liftToRoot === null ? OLLAMA_ONLY : []),
    model: ({ config, model, fetch }) =>
      wire
        .createOpenAICompatible({
          name: NAME,
          baseURL: config.baseUrl,
          fetch,
          includeUsage: true,
          metadataExtractor: chatReasoning,
          supportsStructuredOutputs: config.capabilities.structuredOutput,
        })
        .chatModel(model),
    embedding: ({ config, model, fetch }) =>
      wire.createOpenAICompatible({ name: NAME, baseURL: config.baseUrl, fetch }).embeddingModel(model),
    returned: returnedFields,
    flatTools: true,
    libraryOptions: ({ outputSchema }) =>
      outputSchema === null ? {} : { strictJsonSchema: isStrictSchema(wireSchema(outputSchema)) },
    schemaWay: (_, { capabilities }) => (capabilities.structuredOutput ? 'request' : 'prompt'),
  };
}

/** Model provider `openai-compatible`: any server that speaks OpenAI chat completions. */
export const contribution = defineModelProvider({
  async create(config, context) {
    // Loaded when a run uses such a provider, not when the plugin is listed.
    const [wire, prices] = await Promise.all([import('@ai-sdk/openai-compatible'), import('@pydantic/genai-prices')]);
    return createWireProvider(openaiCompatible(wire), decodeConfig(config), context, prices);
  },
});
