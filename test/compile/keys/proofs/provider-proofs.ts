import type { EffectProof, RunProof } from './proof.js';
import { CODED, IMAGE } from './provider-scene.js';

const SPEC = 'ModelProvider.spec';
const KEYED = { run: { env: { KEY_A: 'the-first-key', KEY_B: 'another-key' } } };
const KEY = { [`${SPEC}.auth.api_key_env`]: 'KEY_A' };
/** The agent names a model and no provider. */
const BY_MODEL = { 'Archetype.defaults.model': { name: 'm-1' }, [`${SPEC}.models`]: {} };
const SCHEMA = { 'Topology.output_schema': { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } };
const TOOLS = { 'Topology.agents.*.children': [{ id: 'one', role: 'worker', archetype: 'plain' }] };

const PRICES = { [`${SPEC}.prices`]: [{ model: '*', input: 1, output: 1 }] };

const ENTRY = 'Workspace.model_providers.*';

/**
 * Keys of a provider that stands in workspace.yaml and not in a file of its own; they need the
 * scene `CODED_PROVIDERS`.
 */
export const CODED_PROOFS: readonly RunProof[] = [
  { key: `${ENTRY}.class`, a: 'openai-compatible', b: 'kit.ollama', run: { env: { KIT_MODEL_RETRIES: '0' } } },
  { key: `${ENTRY}.provider_id`, a: CODED, b: 'another', refuses: 'KIT_PROVIDER_UNKNOWN' },
  { key: `${ENTRY}.config`, a: { base_url: '${MODEL_URL}/v1' }, b: { base_url: '${MODEL_URL}/v2' } },
];

/** Keys that decide what goes over the wire to a model, and whether it may. */
export const PROVIDER_PROOFS: readonly RunProof[] = [
  { key: `${SPEC}.extends`, a: 'openai-compatible', b: 'parent' },
  { key: `${SPEC}.base_url`, a: '${MODEL_URL}/v1', b: '${MODEL_URL}/v2' },
  { key: `${SPEC}.headers`, a: { 'x-team': 'one' }, b: { 'x-team': 'two' } },
  { key: `${SPEC}.extra_body`, a: { a: 1 }, b: { a: 2 } },
  { key: `${SPEC}.prices.*.model`, a: 'm-*', b: 'other-*', given: PRICES },
  { key: `${SPEC}.prices.*.input`, a: 1, b: 2, given: PRICES },
  { key: `${SPEC}.prices.*.output`, a: 1, b: 2, given: PRICES },
  { key: `${SPEC}.prices.*.cached_input`, a: 1, b: 2, given: PRICES },
  { key: `${SPEC}.prices.*.cache_write`, a: 1, b: 2, given: PRICES },
  { key: `${SPEC}.prices.*.reasoning`, a: 1, b: 2, given: PRICES },
  { key: `${SPEC}.options.lift_to_root`, a: ['a'], b: ['b'], given: { 'Archetype.defaults.model.options': { a: 1 } } },
  { key: `${SPEC}.auth.api_key_env`, a: 'KEY_A', b: 'KEY_B', ...KEYED },
  { key: `${SPEC}.auth.header`, a: 'Authorization', b: 'x-api-key', given: KEY, ...KEYED },
  { key: `${SPEC}.auth.scheme`, a: 'Bearer', b: 'Token', given: KEY, ...KEYED },
  { key: `${SPEC}.models.pattern`, a: '^m-', b: '^other-', given: BY_MODEL, refuses: 'KIT_PROVIDER_UNKNOWN' },
  { key: `${SPEC}.models.accept_any`, a: true, b: false, given: BY_MODEL, refuses: 'KIT_PROVIDER_UNKNOWN' },
  { key: `${SPEC}.capabilities.images`, a: true, b: false, run: { attach: [IMAGE] } },
  { key: `${SPEC}.capabilities.tools`, a: true, b: false, given: TOOLS },
  { key: `${SPEC}.capabilities.streaming`, a: true, b: false },
  { key: `${SPEC}.capabilities.structured_output`, a: true, b: false, given: SCHEMA },
];

/** Shown by the provider and the limiter: a run of a test has too few requests, and short ones. */
export const LIMIT_PROOFS: readonly EffectProof[] = [
  { key: `${SPEC}.context_window`, a: 32_000, b: 64_000 },
  { key: `${SPEC}.limits.in_flight`, a: 2, b: 20 },
  { key: `${SPEC}.limits.requests_per_minute`, a: 30, b: 60 },
];
