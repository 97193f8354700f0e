import { ERROR_REGISTRY } from '../../../domain/error-registry.js';
import { isKitError, type KitError } from '../../../domain/errors.js';
import type { Json, JsonObject } from '../../../domain/json.js';
import { type AuthProblem, judgeKeys, type ResolvedKey, type WrittenKey } from '../../../govern/serving/api-keys.js';
import { isObject } from '../../../lib/json.js';
import { parseSecretReference } from '../../../lib/secret-reference.js';

/** Where secrets come from. */
export interface SecretSource {
  /**
   * What `env:NAME`, `file:PATH` or `credentials:NAME` stands for. Throws
   * KIT_CREDENTIAL_UNRESOLVED, never with a value.
   */
  readonly secret: (reference: string) => Promise<string>;
}

/** What the error itself says to do; the default of its code would not name what is missing. */
export const hintOf = (error: KitError): { readonly hint?: string } =>
  error.hint === undefined || error.hint === ERROR_REGISTRY[error.code].hint ? {} : { hint: error.hint };

/** Never with the value of what is missing. */
export async function resolvedSecret(reference: Json | undefined, source: SecretSource): Promise<ResolvedKey> {
  if (typeof reference !== 'string' || parseSecretReference(reference) === null) return { kind: 'literal' };
  try {
    return { kind: 'value', value: await source.secret(reference) };
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { kind: 'missing', reason: error.message, ...hintOf(error) };
  }
}

const textOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

function writtenKey(entry: JsonObject): WrittenKey {
  const { tier, scopes } = entry;
  return {
    clientId: textOf(entry.client_id),
    clientName: textOf(entry.client_name),
    tier: tier === undefined ? undefined : String(tier),
    scopes: scopes === undefined ? undefined : Array.isArray(scopes) ? scopes.map(String) : [String(scopes)],
  };
}

/** The configuration of the provider `api_key`: a digest for each key that resolves. */
export async function planKeys(
  settings: JsonObject,
  humanScopes: ReadonlySet<string>,
  source: SecretSource,
): Promise<{
  readonly config: JsonObject;
  readonly problems: readonly AuthProblem[];
  readonly warnings: readonly string[];
}> {
  const list: readonly Json[] = Array.isArray(settings.keys) ? settings.keys : [];
  const entries = await Promise.all(
    list
      .filter(isObject)
      .map(async (entry) => ({ written: writtenKey(entry), resolved: await resolvedSecret(entry.key_ref, source) })),
  );
  const { keys, problems, warnings } = judgeKeys(entries, humanScopes);
  const prepared = keys.map(({ sha256, clientId, clientName, scopes }) => ({
    sha256,
    client_id: clientId,
    client_name: clientName,
    scopes: [...scopes],
  }));
  return { config: { keys: prepared }, problems, warnings };
}
