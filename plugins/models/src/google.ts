import { defineModelProvider } from '@kit-run/kit/plugin';
import { google } from './families/google.js';
import { decodeConfig } from './wire/config.js';
import { createWireProvider } from './wire/pipeline.js';

/** Model provider `google`: Gemini models at Google, over generateContent. */
export const contribution = defineModelProvider({
  async create(config, context) {
    // Loaded when a run uses such a provider, not when the plugin is listed.
    const [wire, prices] = await Promise.all([import('@ai-sdk/google'), import('@pydantic/genai-prices')]);
    return createWireProvider(google(wire), decodeConfig(config), context, prices);
  },
});
