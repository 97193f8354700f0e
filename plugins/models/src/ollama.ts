import { defineModelProvider } from '@kit-run/kit/plugin';
import { ollamaModel } from './ollama/model.js';
import { decodeConfig } from './wire/config.js';
import type { Family } from './wire/family.js';
import { createWireProvider } from './wire/pipeline.js';

/**
 * Ollama's own protocol: `think` and `keep_alive` at the top level of the request, every other
 * option in `options`.
 */
const ollama: Family = {
  name: 'ollama',
  nest: 'options',
  reserved: ['stream', 'messages', 'tools'],
  ignored: () => [],
  model: ({ config, model, fetch }) => ollamaModel({ baseUrl: config.baseUrl, model, fetch }),
  libraryOptions: () => ({}),
  schemaWay: (_, { capabilities }) => (capabilities.structuredOutput ? 'request' : 'prompt'),
};

/** Model provider `ollama`: a server of Ollama, over its own protocol. */
export const contribution = defineModelProvider({
  async create(config, context) {
    // Loaded when a run uses such a provider, not when the plugin is listed.
    return createWireProvider(ollama, decodeConfig(config), context, await import('@pydantic/genai-prices'));
  },
});
