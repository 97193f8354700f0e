/** What a provider can do; a file may only narrow it. */
export interface ProviderCapabilities {
  readonly images: boolean;
  readonly tools: boolean;
  readonly streaming: boolean;
  readonly structuredOutput: boolean;
}

/** Common ground of the providers that speak one protocol (artifacts.md 12). `name` is the contribution of a plugin. */
export interface ProviderFamily {
  readonly name: string;
  /** Model names that select a provider of this family when an agent names none; null = none does. */
  readonly pattern: string | null;
  readonly acceptAny: boolean;
  readonly baseUrl: string | null;
  readonly capabilities: ProviderCapabilities;
  /** Options that go to the top level of a request; null = all of them. */
  readonly liftToRoot: readonly string[] | null;
  readonly auth: { readonly header: string; readonly scheme: string } | null;
}

const ALL: ProviderCapabilities = { images: true, tools: true, streaming: true, structuredOutput: true };
const BEARER = { header: 'Authorization', scheme: 'Bearer' };

export const PROVIDER_FAMILIES: readonly ProviderFamily[] = [
  { name: 'openai-compatible', pattern: '^(gpt-|o1-|o3-|o4-)', acceptAny: false, baseUrl: null, capabilities: ALL, liftToRoot: null, auth: BEARER },
  {
    name: 'anthropic',
    pattern: '^claude-',
    acceptAny: false,
    baseUrl: 'https://api.anthropic.com/v1',
    capabilities: { ...ALL, structuredOutput: false },
    liftToRoot: null,
    auth: { header: 'x-api-key', scheme: '' },
  },
  {
    name: 'google',
    pattern: '^gemini-',
    acceptAny: false,
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    capabilities: ALL,
    liftToRoot: null,
    auth: { header: 'x-goog-api-key', scheme: '' },
  },
  {
    name: 'ollama',
    pattern: null,
    acceptAny: true,
    baseUrl: 'http://localhost:11434',
    capabilities: ALL,
    liftToRoot: ['think', 'keep_alive'],
    auth: null,
  },
];

/** A provider that kit knows without a file. */
export interface BundledProvider {
  readonly id: string;
  readonly family: string;
  readonly baseUrl: string | null;
  /** Environment variable of the key; null = no key is needed. */
  readonly apiKeyEnv: string | null;
}

const compatible = (id: string, baseUrl: string, apiKeyEnv: string | null): BundledProvider => ({
  id,
  family: 'openai-compatible',
  baseUrl,
  apiKeyEnv,
});

/** Ids of artifacts.md 12. Local servers get the address they listen at by default. */
export const BUNDLED_PROVIDERS: readonly BundledProvider[] = [
  { id: 'anthropic', family: 'anthropic', baseUrl: null, apiKeyEnv: 'ANTHROPIC_API_KEY' },
  compatible('openai', 'https://api.openai.com/v1', 'OPENAI_API_KEY'),
  { id: 'google', family: 'google', baseUrl: null, apiKeyEnv: 'GEMINI_API_KEY' },
  { id: 'ollama', family: 'ollama', baseUrl: null, apiKeyEnv: null },
  compatible('openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  compatible('groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  compatible('together', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY'),
  compatible('rkllama', 'http://localhost:8080/v1', null),
  compatible('llama-server', 'http://localhost:8080/v1', null),
  compatible('openvino-model-server', 'http://localhost:8000/v3', null),
  compatible('mlx-lm', 'http://localhost:8080/v1', null),
  compatible('lemonade', 'http://localhost:8000/api/v1', null),
];
