import { BUNDLED_PROVIDERS, PROVIDER_FAMILIES } from '../../compile/builtin/provider-families.js';
import { type ResolvedProvider, resolveProvider } from '../../compile/link/providers.js';
import { KitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { JsonObject } from '../../domain/json.js';
import type { ProviderBinding } from '../../domain/snapshot.js';
import type { Workspace } from '../../domain/workspace.js';
import { hintFor } from '../../lib/nearest.js';

/** Where `bindProvider` looks for a provider. */
export interface ProviderDeps {
  readonly workspace: Pick<Workspace, 'providers'>;
  readonly plugins: Pick<PluginHost, 'find' | 'list'>;
}

/** A provider as it will be called, and the environment variable its key comes from (null = none). */
export interface BoundProvider {
  readonly binding: ProviderBinding;
  readonly apiKeyEnv: string | null;
}

/**
 * The provider behind an id: a file of the workspace, a bundled one, or a model provider of a plugin. Nothing falls back.
 *
 * Throws KIT_PROVIDER_UNKNOWN naming who asked, and what would bring it.
 */
export function bindProvider(deps: ProviderDeps, wanted: { readonly id: string; readonly user: string }): BoundProvider {
  const { id, user } = wanted;
  const spec = resolveProvider(deps.workspace.providers, id);
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

const OLLAMA_URL = PROVIDER_FAMILIES.find((family) => family.name === 'ollama')?.baseUrl;

function configOf(spec: ResolvedProvider): JsonObject {
  const { images, tools, streaming, structuredOutput } = spec.capabilities;
  const baseUrl = spec.family === 'ollama' && spec.baseUrl === OLLAMA_URL ? `${OLLAMA_URL}/v1` : spec.baseUrl;
  return {
    ...(baseUrl === null ? {} : { base_url: baseUrl }),
    ...(spec.apiKeyEnv === null ? {} : { api_key_env: spec.apiKeyEnv }),
    header: spec.header,
    scheme: spec.scheme,
    headers: spec.headers,
    extra_body: spec.extraBody,
    ...(spec.liftToRoot === null ? {} : { lift_to_root: [...spec.liftToRoot] }),
    capabilities: { images, tools, streaming, structured_output: structuredOutput },
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
      hint: hintFor(wanted.id, new Set(known), { fallback: 'Install the provider plugin or name a known provider.' }),
      data: { provider: wanted.id, user: wanted.user },
    },
  );
}
