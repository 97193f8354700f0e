import { defineModelProvider } from '@kit-run/kit/plugin';
import { openaiCompatible } from './families/openai-compatible.js';
import { decodeConfig } from './wire/config.js';
import { createWireProvider } from './wire/pipeline.js';

/** Model provider `openai-compatible`: any server that speaks OpenAI chat completions. */
export const contribution = defineModelProvider({
  async create(config, context) {
    // Loaded when a run uses such a provider, not when the plugin is listed.
    const [wire, prices] = await Promise.all([import('@ai-sdk/openai-compatible'), import('@pydantic/genai-prices')]);
    return createWireProvider(openaiCompatible(wire), decodeConfig(config), context, prices);
  },
});
