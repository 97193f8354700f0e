import type { Json, JsonObject } from '../domain/json.js';
import type { CredentialService } from '../host/secrets.js';

/** Resolves every reference in a provider's configuration, at the point of use (journal.md 4.2). */
export async function renderConfig(secrets: CredentialService, config: JsonObject): Promise<JsonObject> {
  const entries = await Promise.all(Object.entries(config).map(async ([name, value]) => [name, await renderValue(secrets, value)] as const));
  return Object.fromEntries(entries);
}

async function renderValue(secrets: CredentialService, value: Json): Promise<Json> {
  if (typeof value === 'string') return secrets.render(value);
  if (Array.isArray(value)) return Promise.all(value.map((item) => renderValue(secrets, item)));
  if (typeof value === 'object' && value !== null) return renderConfig(secrets, value as JsonObject);
  return value;
}
