import type { JsonObject } from '@kit-run/kit/plugin';
import type { HttpSettings, ServerSettings } from '../settings.js';

export interface HeaderParts {
  readonly settings: () => Promise<JsonObject>;
  readonly bearer: () => Promise<string | null>;
  readonly read: (settings: JsonObject) => ServerSettings;
}

/**
 * What each request carries besides the protocol's own: written headers, and the bearer token,
 * which comes before an `Authorization` among them.
 */
export async function requestHeaders({
  settings,
  bearer,
  read,
}: HeaderParts): Promise<Readonly<Record<string, string>>> {
  const current = read(await settings());
  const written: HttpSettings['headers'] = current.transport === 'http' ? current.headers : {};
  const token = await bearer();
  return token === null ? written : { ...written, authorization: `Bearer ${token}` };
}
