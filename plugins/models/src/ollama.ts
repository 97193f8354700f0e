import { defineModelProvider } from '@kit-run/kit/plugin';
import { ollama } from './families/ollama.js';
import { decodeConfig } from './wire/config.js';
import { createWireProvider } from './wire/pipeline.js';

/** Model provider `ollama`: a server of Ollama, over its own protocol. */
export const contribution = defineModelProvider({
  async create(config, context) {
    // Loaded when a run uses such a provider, not when the plugin is listed.
    return createWireProvider(ollama, decodeConfig(config), context, await import('@pydantic/genai-prices'));
  },
});
