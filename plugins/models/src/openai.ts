import { defineModelProvider } from '@kit-run/kit/plugin';
import { openai } from './families/openai.js';
import { decodeConfig } from './wire/config.js';
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
