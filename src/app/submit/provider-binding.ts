import { BUNDLED_PROVIDERS } from '../../compile/builtin/provider-families.js';
import { codedConfig, codedProviders, configOf } from '../../compile/link/coded-providers.js';
import { resolveProvider } from '../../compile/link/providers.js';
import { KitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { Workspace as WorkspaceFile } from '../../domain/generated/artifacts.js';
import type { JsonObject } from '../../domain/json.js';
import { HOW_TO_INSTALL, hintForMissing } from '../../domain/missing-contribution.js';
import type { ProviderBinding } from '../../domain/snapshot.js';
import type { Workspace } from '../../domain/workspace.js';
import { hintFor } from '../../lib/nearest.js';

/** Where `bindProvider` looks for a provider. */
export interface ProviderDeps {
  readonly workspace: Pick<Workspace, 'providers'> & {
    readonly config: { readonly value: Pick<WorkspaceFile, 'model_providers'> };
  };
  readonly plugins: Pick<PluginHost, 'find' | 'list'>;
}

/**
 * A provider as it will be called, and the environment variable its key comes from (null = none).
 */
export interface BoundProvider {
  readonly binding: ProviderBinding;
  readonly apiKeyEnv: string | null;
}

/**
 * The provider behind an id: an entry or a file of the workspace, a bundled one, or a model
 * provider of a plugin. Nothing falls back.
 *
 * Throws KIT_PROVIDER_UNKNOWN naming who asked, and what would bring it.
 */
export function bindProvider(
  deps: ProviderDeps,
  wanted: { readonly id: string; readonly user: string },
): BoundProvider {
  const { id } = wanted;
  const coded = codedProviders(deps.workspace.config.value).find((entry) => entry.id === id);
  if (coded !== undefined)
    return bound(deps, { ...wanted, contribution: coded.class, config: (name) => codedConfig(name, coded.config) });
  const spec = resolveProvider(deps.workspace.providers, id);
  if (spec !== null) return bound(deps, { ...wanted, contribution: spec.family, config: () => configOf(spec) });
  const own = deps.plugins.find('modelProviders', id);
  if (own === null) throw unknown(deps, wanted);
  return { binding: { id, contribution: own.id, config: {} }, apiKeyEnv: null };
}

interface Wanted {
  readonly id: string;
  readonly user: string;
  /** Name or id of the contribution. */
  readonly contribution: string;
  /** Its configuration, by its name. */
  readonly config: (name: string) => JsonObject;
}

function bound(deps: ProviderDeps, { id, user, contribution, config }: Wanted): BoundProvider {
  const info = deps.plugins.find('modelProviders', contribution);
  if (info === null) {
    throw new KitError(
      'KIT_PROVIDER_UNKNOWN',
      `${user} uses the provider ${id}, and no installed plugin brings ${contribution}`,
      {
        hint: `${hintForMissing(`the model provider ${contribution}`)} An OpenAI-compatible endpoint needs none.`,
        data: { provider: id, family: contribution, user, wants: { point: 'modelProviders', name: contribution } },
      },
    );
  }
  const settings = config(info.name);
  const apiKeyEnv = typeof settings.api_key_env === 'string' ? settings.api_key_env : null;
  return { binding: { id, contribution: info.id, config: settings }, apiKeyEnv };
}

function unknown(deps: ProviderDeps, wanted: { readonly id: string; readonly user: string }): KitError {
  const known = [
    ...deps.workspace.providers.keys(),
    ...codedProviders(deps.workspace.config.value).map((entry) => entry.id),
    ...BUNDLED_PROVIDERS.map((one) => one.id),
    ...deps.plugins.list('modelProviders').map((one) => one.name),
  ];
  return new KitError(
    'KIT_PROVIDER_UNKNOWN',
    `${wanted.user} uses the provider ${wanted.id}, which is not known; known are ${[...new Set(known)].sort().join(', ')}`,
    {
      hint: hintFor(wanted.id, new Set(known), { fallback: `Name a known provider; ${HOW_TO_INSTALL}.` }),
      data: { provider: wanted.id, user: wanted.user, wants: { point: 'modelProviders', name: wanted.id } },
    },
  );
}
