import { defineModelProvider } from '@kit-run/kit/plugin';
import { decodeConfig } from './openai/config.js';
import { createProvider } from './openai/provider.js';

/** Model provider `openai-compatible`: any server that speaks OpenAI chat completions. */
export const contribution = defineModelProvider({
  async create(config, context) {
    // 95 and 65 ms to load: paid when a run uses such a provider, not when the plugin is listed.
    const [wire, prices] = await Promise.all([import('@ai-sdk/openai-compatible'), import('@pydantic/genai-prices')]);
    return createProvider(decodeConfig(config), context, { wire, prices });
  },
});
