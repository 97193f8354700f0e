import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';

/** What a provider can do; a file may only narrow it. */
export interface ProviderCapabilities {
  readonly images: boolean;
  readonly tools: boolean;
  readonly streaming: boolean;
  readonly structuredOutput: boolean;
}

/**
 * Common ground of the providers that speak one protocol. `name` is the contribution of a plugin.
 */
export interface ProviderFamily {
  readonly name: string;
  /**
   * Model names that select a provider of this family when an agent names none; null = none does.
   */
  readonly pattern: string | null;
  readonly acceptAny: boolean;
  readonly baseUrl: string | null;
  readonly capabilities: ProviderCapabilities;
  /** Options that go to the top level of a request; null = all of them. */
  readonly liftToRoot: readonly string[] | null;
  readonly auth: { readonly header: string; readonly scheme: string } | null;
  /**
   * Places of a file's spec that the protocol has no use for; a file that writes one is refused.
   */
  readonly unusable: readonly string[];
}

const ALL: ProviderCapabilities = { images: true, tools: true, streaming: true, structuredOutput: true };
const BEARER = DEFAULTS.ModelServer;

/** Keys of a Gemini request; an option of any other name belongs into its `generationConfig`. */
const GEMINI_ROOT = ['generationConfig', 'safetySettings', 'toolConfig', 'cachedContent', 'labels', 'serviceTier'];

/**
 * `openai` and `openai-compatible` are two: OpenAI's own service speaks a protocol of its own
 * (Responses), which servers that are merely compatible do not. `structuredOutput` is the request's
 * own field for a schema; for `anthropic` the schema goes as a tool, so it stands there as false.
 */
export const PROVIDER_FAMILIES: readonly ProviderFamily[] = [
  {
    name: 'openai-compatible',
    pattern: '^(gpt-|o1-|o3-|o4-)',
    acceptAny: false,
    baseUrl: null,
    capabilities: ALL,
    liftToRoot: null,
    auth: BEARER,
    unusable: [],
  },
  {
    name: 'openai',
    pattern: '^(gpt-|o1-|o3-|o4-)',
    acceptAny: false,
    baseUrl: 'https://api.openai.com/v1',
    capabilities: ALL,
    liftToRoot: null,
    auth: BEARER,
    unusable: ['/options/lift_to_root'],
  },
  {
    name: 'anthropic',
    pattern: '^claude-',
    acceptAny: false,
    baseUrl: 'https://api.anthropic.com/v1',
    capabilities: { ...ALL, structuredOutput: false },
    liftToRoot: null,
    auth: { header: 'x-api-key', scheme: '' },
    unusable: ['/options/lift_to_root'],
  },
  {
    name: 'google',
    pattern: '^gemini-',
    acceptAny: false,
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    capabilities: ALL,
    liftToRoot: GEMINI_ROOT,
    auth: { header: 'x-goog-api-key', scheme: '' },
    unusable: [],
  },
  {
    name: 'ollama',
    pattern: null,
    acceptAny: true,
    baseUrl: 'http://localhost:11434',
    capabilities: ALL,
    liftToRoot: ['think', 'keep_alive'],
    auth: null,
    unusable: [],
  },
];

/** A provider that kit knows without a file. */
export interface BundledProvider {
  readonly id: string;
  readonly family: string;
  /** null = that of the family. `${VAR:-default}` is resolved where the provider is called. */
  readonly baseUrl: string | null;
  /** Environment variable of the key; null = no key is needed. */
  readonly apiKeyEnv: string | null;
  readonly extraBody: JsonObject;
  /** Capabilities of the family that this server does not have. */
  readonly lacks: readonly (keyof ProviderCapabilities)[];
}

const provider = (
  id: string,
  family: string,
  baseUrl: string | null,
  apiKeyEnv: string | null,
  extraBody: JsonObject = {},
): BundledProvider => ({
  id,
  family,
  baseUrl,
  apiKeyEnv,
  extraBody,
  lacks: [],
});

/**
 * A server on this machine, at the address where it listens by default; the variable says another
 * one.
 */
const local = (id: string, family: string, variable: string, port: string): BundledProvider =>
  provider(id, family, `\${${variable}:-http://localhost:${port}}`, null);

/** OpenRouter reports what a call cost only when it is asked. */
export const BUNDLED_PROVIDERS: readonly BundledProvider[] = [
  provider('anthropic', 'anthropic', null, 'ANTHROPIC_API_KEY'),
  provider('openai', 'openai', null, 'OPENAI_API_KEY'),
  provider('google', 'google', null, 'GOOGLE_API_KEY'),
  local('ollama', 'ollama', 'OLLAMA_BASE_URL', '11434'),
  provider('openrouter', 'openai-compatible', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY', {
    usage: { include: true },
  }),
  provider('groq', 'openai-compatible', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  provider('together', 'openai-compatible', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY'),
  // A server for Rockchip NPUs with the protocol of Ollama, and without tools.
  { ...local('rkllama', 'ollama', 'RKLLAMA_HOST', '8080'), lacks: ['tools'] },
  local('llama-server', 'openai-compatible', 'LLAMA_SERVER_URL', '8080/v1'),
  local('openvino-model-server', 'openai-compatible', 'OVMS_URL', '8000/v3'),
  local('mlx-lm', 'openai-compatible', 'MLX_LM_URL', '8080/v1'),
  local('lemonade', 'openai-compatible', 'LEMONADE_URL', '8000/api/v1'),
];
