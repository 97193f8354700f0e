import { KitError } from '../../domain/errors.js';
import { postgresLocation } from '../../lib/show-url.js';

/** How the server is reached, and which setting says so. */
export interface PostgresPlace {
  /** `postgres://...`; may hold a password, so it is never shown. */
  readonly url: string;
  /** What a person has to change: `storage.runtime.url` or `KIT_STORE_URL`. */
  readonly setting: string;
}

/**
 * The URL for messages: no password, and no parameter that could hold one. Throws
 * KIT_STORE_UNAVAILABLE for text that is not such a URL, never repeated: it may be a password
 * in the wrong place.
 */
export function locationOf({ url, setting }: PostgresPlace): string {
  const location = postgresLocation(url);
  if (location !== null) return location;
  throw new KitError('KIT_STORE_UNAVAILABLE', `${setting} is not a PostgreSQL URL`, {
    hint: `Write it as postgres://user:password@host:5432/database in ${setting}.`,
  });
}
