import type { Workspace } from '../../domain/generated/artifacts.js';
import type { JsonObject } from '../../domain/json.js';
import { PROVIDER_FAMILIES } from '../builtin/provider-families.js';
import { type ResolvedProvider, resolveProvider } from './providers.js';

/**
 * One entry of `model_providers` in workspace.yaml. `class` is the name or the id of a model
 * provider that an installed plugin contributes. A workspace cannot bring code of its own this way:
 * what may run was decided when the plugin was installed, and an entry only chooses among that and
 * configures it.
 */
export interface CodedProvider {
  readonly id: string;
  readonly class: string;
  /** As written; `${VAR}` and `{credential.x}` are resolved where the provider is called. */
  readonly config: JsonObject;
}

/** The entries of `model_providers`, in the order of the file. */
export const codedProviders = ({
  model_providers: entries = [],
}: Pick<Workspace, 'model_providers'>): readonly CodedProvider[] =>
  entries.map(({ provider_id: id, class: name, config = {} }) => ({ id, class: name, config }));

/**
 * What a contribution gets: the entry's configuration over the defaults of its family, when it is
 * one that kit knows.
 */
export function codedConfig(contribution: string, config: JsonObject): JsonObject {
  const family = PROVIDER_FAMILIES.some(({ name }) => name === contribution)
    ? resolveProvider(new Map(), contribution)
    : null;
  return family === null ? config : { ...configOf(family), ...config };
}

/**
 * The configuration of a family's contribution (plugins/models/schemas/server.json) for a resolved
 * provider.
 */
export function configOf(spec: ResolvedProvider): JsonObject {
  const { images, tools, streaming, structuredOutput } = spec.capabilities;
  return {
    ...(spec.baseUrl === null ? {} : { base_url: spec.baseUrl }),
    ...(spec.apiKeyEnv === null ? {} : { api_key_env: spec.apiKeyEnv }),
    header: spec.header,
    scheme: spec.scheme,
    headers: spec.headers,
    extra_body: spec.extraBody,
    ...(spec.liftToRoot === null ? {} : { lift_to_root: [...spec.liftToRoot] }),
    capabilities: { images, tools, streaming, structured_output: structuredOutput },
    ...(spec.contextWindow === null ? {} : { context_window: spec.contextWindow }),
    ...(Object.keys(spec.limits).length === 0 ? {} : { limits: spec.limits }),
    ...(spec.prices.length === 0 ? {} : { prices: [...spec.prices] }),
  };
}
