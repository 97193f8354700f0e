import { configOf } from '../../../../src/compile/link/coded-providers.js';
import { resolveProvider } from '../../../../src/compile/link/providers.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { ANTHROPIC } from '../../../support/components/provider-servers/anthropic.js';
import { GOOGLE } from '../../../support/components/provider-servers/google.js';
import { OLLAMA } from '../../../support/components/provider-servers/ollama.js';
import { OPENAI_CHAT, OPENROUTER } from '../../../support/components/provider-servers/openai-chat.js';
import { OPENAI_RESPONSES } from '../../../support/components/provider-servers/openai-responses.js';
import type { Protocol } from '../../../support/components/provider-servers/protocol.js';

/** One bundled provider, the server that speaks its format, and what the format cannot say. */
export interface FamilyCase {
  readonly id: string;
  readonly protocol: Protocol;
  readonly model: string;
  /** Reasons why an answer ended, as the wire says them. */
  readonly finishes: { readonly length: string; readonly filter: string | null };
  readonly hasCachedTokens: boolean;
  readonly hasReasoningTokens: boolean;
  readonly hasCost: boolean;
  /** The library passes on which model answered; else it is the one that was asked for. */
  readonly hasModel: boolean;
  /** Where a stream that reports an error says which: ollama has words alone. */
  readonly hasStreamedStatus: boolean;
  /** Arguments of a call are text on the wire, so they need not be JSON. */
  readonly hasTextArguments: boolean;
}

const ALL = {
  hasCachedTokens: true,
  hasReasoningTokens: true,
  hasCost: false,
  hasStreamedStatus: true,
  hasTextArguments: true,
  hasModel: true,
};
const CHAT = { finishes: { length: 'length', filter: 'content_filter' } };

export const FAMILIES: readonly FamilyCase[] = [
  { ...ALL, ...CHAT, id: 'groq', protocol: OPENAI_CHAT, model: 'llama-3.3-70b-versatile' },
  { ...ALL, ...CHAT, id: 'together', protocol: OPENAI_CHAT, model: 'meta-llama/Llama-3.3-70B-Instruct-Turbo' },
  { ...ALL, ...CHAT, id: 'openrouter', protocol: OPENROUTER, model: 'openai/gpt-5-mini', hasCost: true },
  {
    ...ALL,
    id: 'openai',
    protocol: OPENAI_RESPONSES,
    model: 'gpt-5-mini',
    finishes: { length: 'max_output_tokens', filter: 'content_filter' },
  },
  {
    ...ALL,
    id: 'anthropic',
    protocol: ANTHROPIC,
    model: 'claude-sonnet-4-5',
    finishes: { length: 'max_tokens', filter: 'refusal' },
    hasReasoningTokens: false,
  },
  {
    ...ALL,
    id: 'google',
    protocol: GOOGLE,
    model: 'gemini-2.5-flash',
    finishes: { length: 'MAX_TOKENS', filter: 'SAFETY' },
    hasTextArguments: false,
    hasModel: false,
  },
  {
    ...ALL,
    id: 'ollama',
    protocol: OLLAMA,
    model: 'qwen3:4b',
    finishes: { length: 'length', filter: null },
    hasCachedTokens: false,
    hasReasoningTokens: false,
    hasStreamedStatus: false,
    hasTextArguments: false,
  },
];

/** Name of the variable that holds the key in every test. */
export const KEY_VARIABLE = 'TEST_KEY';
export const KEY = 'key-of-the-test/with+signs';

/**
 * What a run hands to the provider: the bundled data of `id`, with the address and the key of the
 * test.
 */
export function bundledConfig(id: string, url: string): JsonObject {
  const provider = resolveProvider(new Map(), id);
  if (provider === null) throw new Error(`no bundled provider is called ${id}`);
  return { ...configOf({ ...provider, baseUrl: url, apiKeyEnv: provider.apiKeyEnv === null ? null : KEY_VARIABLE }) };
}

/** The contribution behind a bundled provider. */
export function contributionOf(id: string): string {
  const provider = resolveProvider(new Map(), id);
  if (provider === null) throw new Error(`no bundled provider is called ${id}`);
  return provider.family;
}
