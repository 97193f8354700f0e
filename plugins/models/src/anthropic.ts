import { defineModelProvider } from '@kit-run/kit/plugin';
import { anthropic } from './families/anthropic.js';
import { decodeConfig } from './wire/config.js';
import { createWireProvider } from './wire/pipeline.js';

/** Model provider `anthropic`: Claude models at Anthropic, over the Messages API. */
export const contribution = defineModelProvider({
  async create(config, context) {
    // Loaded when a run uses such a provider, not when the plugin is listed.
    const [wire, prices] = await Promise.all([import('@ai-sdk/anthropic'), import('@pydantic/genai-prices')]);
    return createWireProvider(anthropic(wire), decodeConfig(config), context, prices);
  },
});
