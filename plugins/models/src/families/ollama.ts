import { ollamaModel } from '../ollama/model.js';
import type { Family } from '../wire/family.js';

/**
 * Ollama's own protocol: `think` and `keep_alive` at the top level of the request, every other
 * option in `options`.
 */
export const ollama: Family = {
  name: 'ollama',
  nest: 'options',
  reserved: ['stream', 'messages', 'tools'],
  ignored: () => [],
  model: ({ config, model, fetch }) => ollamaModel({ baseUrl: config.baseUrl, model, fetch }),
  libraryOptions: () => ({}),
  schemaWay: (_, { capabilities }) => (capabilities.structuredOutput ? 'request' : 'prompt'),
};
