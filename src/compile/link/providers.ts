import type { ModelProvider, ModelProviderSpec } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';
import {
  BUNDLED_PROVIDERS,
  type BundledProvider,
  PROVIDER_FAMILIES,
  type ProviderCapabilities,
  type ProviderFamily,
} from '../builtin/provider-families.js';

/**
 * A provider with its whole chain applied. URL, headers and body still hold `${VAR}`: they are
 * resolved where they are used.
 */
export interface ResolvedProvider
  extends Pick<ProviderFamily, 'pattern' | 'acceptAny' | 'capabilities' | 'liftToRoot'>,
    Pick<BundledProvider, 'id' | 'family' | 'extraBody'> {
  /** Ids from this one to its family; a bundled provider has two. */
  readonly chain: readonly string[];
  /** Null: the provider has none. */
  readonly baseUrl: string | null;
  /** Environment variable that holds the key; null = no key is sent. */
  readonly apiKeyEnv: string | null;
  readonly header: string;
  readonly scheme: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Tokens; null = what is known of each model. */
  readonly contextWindow: number | null;
  /** As written, each key over the same one of what it extends; {} = they are found out. */
  readonly limits: JsonObject;
  /** As written, those of the file before those of what it extends. */
  readonly prices: readonly JsonObject[];
  readonly origin: 'bundled' | 'workspace';
}

/** Provider files by id, in the order of discovery. */
export type ProviderRegistry = ReadonlyMap<string, { readonly value: Pick<ModelProvider, 'spec'> }>;

function ofFamily(family: ProviderFamily, id: string): ResolvedProvider {
  return {
    id,
    family: family.name,
    chain: id === family.name ? [id] : [id, family.name],
    baseUrl: family.baseUrl,
    apiKeyEnv: null,
    header: family.auth?.header ?? DEFAULTS.ModelServer.header,
    scheme: family.auth?.scheme ?? DEFAULTS.ModelServer.scheme,
    pattern: family.pattern,
    acceptAny: family.acceptAny,
    capabilities: family.capabilities,
    liftToRoot: family.liftToRoot,
    headers: {},
    extraBody: {},
    contextWindow: null,
    limits: {},
    prices: [],
    origin: 'bundled',
  };
}

function bundled(id: string): ResolvedProvider | null {
  const found = BUNDLED_PROVIDERS.find((provider) => provider.id === id);
  const family = PROVIDER_FAMILIES.find((entry) => entry.name === (found?.family ?? id));
  if (family === undefined) return null;
  const base = ofFamily(family, id);
  if (found === undefined) return base;
  const capabilities = { ...base.capabilities, ...Object.fromEntries(found.lacks.map((name) => [name, false])) };
  return {
    ...base,
    baseUrl: found.baseUrl ?? base.baseUrl,
    apiKeyEnv: found.apiKeyEnv,
    extraBody: found.extraBody,
    capabilities,
  };
}

const narrowed = (base: ProviderCapabilities, own: ModelProviderSpec['capabilities'] = {}): ProviderCapabilities => ({
  images: base.images && own.images !== false,
  tools: base.tools && own.tools !== false,
  streaming: base.streaming && own.streaming !== false,
  structuredOutput: base.structuredOutput && own.structured_output !== false,
});

function applySpec(base: ResolvedProvider, id: string, spec: ModelProviderSpec): ResolvedProvider {
  const { auth, models, options } = spec;
  return {
    ...base,
    id,
    chain: base.chain[0] === id ? base.chain : [id, ...base.chain],
    origin: 'workspace',
    baseUrl: spec.base_url ?? base.baseUrl,
    apiKeyEnv: auth?.api_key_env ?? base.apiKeyEnv,
    header: auth?.header ?? base.header,
    scheme: auth?.scheme ?? base.scheme,
    pattern: models?.pattern ?? base.pattern,
    acceptAny: models?.accept_any ?? base.acceptAny,
    capabilities: narrowed(base.capabilities, spec.capabilities),
    liftToRoot: options?.lift_to_root ?? base.liftToRoot,
    headers: { ...base.headers, ...spec.headers },
    extraBody: { ...base.extraBody, ...spec.extra_body },
    contextWindow: spec.context_window ?? base.contextWindow,
    limits: { ...base.limits, ...spec.limits },
    prices: [...(spec.prices ?? []), ...base.prices],
  };
}

/**
 * The chain of `extends` from a file to its family, applied. A workspace file replaces a bundled
 * provider of its id, and a file that extends its own id extends the bundled one. Null = the chain
 * reaches no family, or runs in a circle.
 */
export function resolveProvider(
  providers: ProviderRegistry,
  id: string,
  path: readonly string[] = [],
): ResolvedProvider | null {
  const file = providers.get(id);
  if (file === undefined || path.at(-1) === id) return bundled(id);
  if (path.includes(id)) return null;
  const { spec } = file.value;
  const base = resolveProvider(providers, spec.extends, [...path, id]);
  return base === null ? null : applySpec(base, id, spec);
}

/** Ids that an agent may name: files, bundled providers, and what the caller knows of plugins. */
export const providerIds = (providers: ProviderRegistry, contributed: Iterable<string>): ReadonlySet<string> =>
  new Set([...providers.keys(), ...BUNDLED_PROVIDERS.map((provider) => provider.id), ...contributed]);

/**
 * Of the providers that share a family's pattern, the one that a model name alone selects: no local
 * server, no reseller.
 */
export const NAMED_BY_MODEL: readonly string[] = BUNDLED_PROVIDERS.filter(
  (provider) => provider.family === provider.id || provider.id === 'openai',
).map(({ id }) => id);

/**
 * Provider for a model name when an agent names none: workspace files first, then bundled ones with
 * a pattern that fits. Only those that `isRegistered` count: a key that is needed is there
 * (docs/design/workspace.md#providers).
 */
export function providerForModel(
  providers: ProviderRegistry,
  model: string,
  isRegistered: (provider: ResolvedProvider) => boolean = () => true,
): ResolvedProvider | null {
  const ids = [...providers.keys(), ...NAMED_BY_MODEL.filter((id) => !providers.has(id))];
  const fits = (provider: ResolvedProvider | null): provider is ResolvedProvider =>
    provider !== null &&
    ((provider.pattern !== null && new RegExp(provider.pattern).test(model)) ||
      (provider.acceptAny && provider.origin === 'workspace')) &&
    isRegistered(provider);
  return ids.map((id) => resolveProvider(providers, id)).find(fits) ?? null;
}
