import { LOCAL_ONLY } from '../wire/body.js';
import type { Family } from '../wire/family.js';

/**
 * Google Gemini (generateContent). Options that are not a key of the request stand in
 * `generationConfig`.
 */
export function google(wire: typeof import('@ai-sdk/google')): Family {
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
