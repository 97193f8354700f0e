// What the price library of the plugin `models` knows of models -> src/compile/generated/models.ts:
// ids of the providers that kit knows by name, for one word with a slip in it.
import { findProvider } from '@pydantic/genai-prices';

const PROVIDERS = ['anthropic', 'openai', 'google', 'groq', 'together', 'openrouter'];

/** The text of models.ts: `KNOWN_MODELS`, by the id of the provider. */
export function knownModelsModule() {
  const lines = PROVIDERS.map((id) => {
    const found = findProvider({ providerId: id });
    if (found === undefined) throw new Error(`the price library knows no provider ${id}`);
    return `  ${id}:\n    ${JSON.stringify(found.models.map((model) => model.id).join(' '))},`;
  });
  return `
/** Provider -> ids of its models, a blank between: nobody needs them until one is named. */
export const KNOWN_MODELS: Readonly<Record<string, string>> = {\n${lines.join('\n')}\n};\n`;
}
