import type { Json, JsonObject } from '../domain/json.js';
import type { CredentialService } from '../host/secrets.js';

/**
 * Resolves every reference in a configuration, at the point of use
 * (docs/design/journal.md#references): of a provider, a sink, a tool server. `allowedRefs` bounds
 * the credentials that its templates may name; null = any.
 */
export async function renderConfig(
  secrets: CredentialService,
  config: JsonObject,
  allowedRefs: readonly string[] | null = null,
): Promise<JsonObject> {
  const render = async (value: Json): Promise<Json> => {
    if (typeof value === 'string') return secrets.render(value, allowedRefs);
    if (Array.isArray(value)) return Promise.all(value.map(render));
    if (typeof value === 'object' && value !== null) return renderConfig(secrets, value as JsonObject, allowedRefs);
    return value;
  };
  const members = Object.entries(config);
  if (members.length === 0) return config;
  const entries = await Promise.all(members.map(async ([name, value]) => [name, await render(value)] as const));
  return Object.fromEntries(entries);
}
