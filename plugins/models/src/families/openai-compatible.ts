import { OLLAMA_ONLY } from '../wire/body.js';
import type { Family } from '../wire/family.js';
import { isStrictSchema, wireSchema } from '../wire/output-schema.js';
import { chatReasoning, returnedFields } from './chat-reasoning.js';

/** Namespace of our own options within the wire library; never seen on the wire. */
const NAME = 'kit';

/**
 * Any server that speaks OpenAI chat completions: OpenRouter, Groq, Together and every local one.
 */
export function openaiCompatible(wire: typeof import('@ai-sdk/openai-compatible')): Family {
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
