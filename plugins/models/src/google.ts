import { defineModelProvider } from '@kit-run/kit/plugin';
import { LOCAL_ONLY } from './wire/body.js';
import { decodeConfig } from './wire/config.js';
import type { Family } from './wire/family.js';
import { createWireProvider } from './wire/pipeline.js';

/** Model provider `google`: Gemini models at Google, over generateContent. */
export const contribution = defineModelProvider({
  async create(config, context) {
    // Loaded when a run uses such a provider, not when the plugin is listed.
    const [wire, prices] = await Promise.all([import('@ai-sdk/google'), import('@pydantic/genai-prices')]);
    return createWireProvider(google(wire), decodeConfig(config), context, prices);
  },
});

/**
 * Google Gemini (generateContent). Options that are not a key of the request stand in
 * `generationConfig`.
 */
function google(wire: typeof import('@ai-sdk/google')): Family {
  return {
    name: 'google',
    documents: true,
    nest: 'generationConfig',
    reserved: ['contents', 'systemInstruction', 'tools'],
    ignored: () => LOCAL_ONLY,
    // The key is set by the call's fetch; without one here the library would look for a variable of
    // its own.
    model: ({ config, model, fetch }) =>
      wire.createGoogle({ apiKey: '-', baseURL: config.baseUrl, fetch }).languageModel(model),
    flatTools: true,
    libraryOptions: () => ({}),
    schemaWay: (_, { capabilities }) => (capabilities.structuredOutput ? 'request' : 'prompt'),
  };
}
