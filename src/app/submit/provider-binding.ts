import { BUNDLED_PROVIDERS, PROVIDER_FAMILIES } from '../../compile/builtin/provider-families.js';
import { KitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { ModelProviderSpec } from '../../domain/generated/artifacts.js';
import type { JsonObject } from '../../domain/json.js';
import type { ProviderBinding } from '../../domain/snapshot.js';
import type { Workspace } from '../../domain/workspace.js';

export interface ProviderDeps {
  readonly workspace: Pick<Workspace, 'providers'>;
  readonly plugins: Pick<PluginHost, 'find' | 'list'>;
}

/** A provider as it will be called, and the environment variable its key comes from (null = none). */
export interface ResolvedProvider {
  readonly binding: ProviderBinding;
  readonly apiKeyEnv: string | null;
}

/** Parts of a spec as the chain of `extends` adds them up; URLs and headers keep their `${VAR}` (journal.md 4.2). */
interface Spec {
  readonly family: string;
  readonly baseUrl: string | null;
  readonly apiKeyEnv: string | null;
  readonly header: string | null;
  readonly scheme: string | null;
  readonly headers: JsonObject;
  readonly extraBody: JsonObject;
  readonly liftToRoot: readonly string[] | null;
  readonly capabilities: Readonly<Record<string, boolean>>;
}

/**
 * The provider behind an id: a file of the workspace, a bundled one, or a model provider of a plugin. Nothing falls back.
 *
 * Throws KIT_PROVIDER_UNKNOWN naming who asked, and what would bring it.
 */
export function resolveProvider(deps: ProviderDeps, wanted: { readonly id: string; readonly user: string }): ResolvedProvider {
  const { id, user } = wanted;
  const spec = specOf(deps, id, new Set());
  if (spec === null) {
    const own = deps.plugins.find('modelProviders', id);
    if (own === null) throw unknown(deps, wanted);
    return { binding: { id, contribution: own.id, config: {} }, apiKeyEnv: null };
  }
  const contribution = contributionOf(deps, spec.family);
  if (contribution === null) {
    throw new KitError('KIT_PROVIDER_UNKNOWN', `${user} uses the provider ${id}, and no installed plugin brings the family ${spec.family}`, {
      hint: `Install a plugin that contributes the model provider ${spec.family}, or use an OpenAI-compatible endpoint.`,
      data: { provider: id, family: spec.family, user },
    });
  }
  return { binding: { id, contribution, config: configOf(spec) }, apiKeyEnv: spec.apiKeyEnv };
}

/** Ollama answers the OpenAI protocol under /v1, so it works before a plugin of its own is installed. */
function contributionOf(deps: ProviderDeps, family: string): string | null {
  const own = deps.plugins.find('modelProviders', family);
  if (own !== null) return own.id;
  return family === 'ollama' ? (deps.plugins.find('modelProviders', 'openai-compatible')?.id ?? null) : null;
}

function specOf(deps: ProviderDeps, id: string, seen: Set<string>): Spec | null {
  const artifact = deps.workspace.providers.get(id);
  if (artifact !== undefined && !seen.has(id)) {
    seen.add(id);
    return merge(specOf(deps, artifact.raw.spec.extends, seen), artifact.raw.spec);
  }
  const bundled = BUNDLED_PROVIDERS.find((provider) => provider.id === id);
  if (bundled !== undefined) {
    const family = familySpec(bundled.family);
    return family === null ? null : { ...family, baseUrl: bundled.baseUrl ?? family.baseUrl, apiKeyEnv: bundled.apiKeyEnv };
  }
  return familySpec(id);
}

function familySpec(name: string): Spec | null {
  const family = PROVIDER_FAMILIES.find((one) => one.name === name);
  if (family === undefined) return null;
  const baseUrl = family.name === 'ollama' ? `${family.baseUrl}/v1` : family.baseUrl;
  return {
    family: family.name,
    baseUrl,
    apiKeyEnv: null,
    header: family.auth?.header ?? null,
    scheme: family.auth?.scheme ?? null,
    headers: {},
    extraBody: {},
    liftToRoot: family.liftToRoot.length === 0 ? null : family.liftToRoot,
    capabilities: capabilitiesOf(family),
  };
}

function capabilitiesOf({ capabilities }: (typeof PROVIDER_FAMILIES)[number]): Readonly<Record<string, boolean>> {
  return {
    images: capabilities.images,
    tools: capabilities.tools,
    streaming: capabilities.streaming,
    structured_output: capabilities.structuredOutput,
  };
}

/** Maps merge key by key; `base_url` and lists replace (artifacts.md 15). */
function merge(base: Spec | null, file: ModelProviderSpec): Spec | null {
  if (base === null) return null;
  return {
    family: base.family,
    baseUrl: file.base_url ?? base.baseUrl,
    apiKeyEnv: file.auth?.api_key_env ?? base.apiKeyEnv,
    header: file.auth?.header ?? base.header,
    scheme: file.auth?.scheme ?? base.scheme,
    headers: { ...base.headers, ...file.headers },
    extraBody: { ...base.extraBody, ...file.extra_body },
    liftToRoot: file.options?.lift_to_root ?? base.liftToRoot,
    capabilities: { ...base.capabilities, ...file.capabilities },
  };
}

function configOf(spec: Spec): JsonObject {
  return {
    ...(spec.baseUrl === null ? {} : { base_url: spec.baseUrl }),
    ...(spec.apiKeyEnv === null ? {} : { api_key_env: spec.apiKeyEnv }),
    ...(spec.header === null ? {} : { header: spec.header }),
    ...(spec.scheme === null ? {} : { scheme: spec.scheme }),
    headers: spec.headers,
    extra_body: spec.extraBody,
    ...(spec.liftToRoot === null ? {} : { lift_to_root: [...spec.liftToRoot] }),
    capabilities: spec.capabilities,
  };
}

function unknown(deps: ProviderDeps, wanted: { readonly id: string; readonly user: string }): KitError {
  const known = [
    ...deps.workspace.providers.keys(),
    ...BUNDLED_PROVIDERS.map((one) => one.id),
    ...deps.plugins.list('modelProviders').map((one) => one.name),
  ];
  return new KitError(
    'KIT_PROVIDER_UNKNOWN',
    `${wanted.user} uses the provider ${wanted.id}, which is not known; known are ${[...new Set(known)].sort().join(', ')}`,
    {
      data: { provider: wanted.id, user: wanted.user },
    },
  );
}
