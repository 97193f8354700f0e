import { KitError } from '../../domain/errors.js';

/** How the server is reached, and which setting says so. */
export interface PostgresPlace {
  /** `postgres://...`; may hold a password, so it is never shown. */
  readonly url: string;
  /** What a person has to change: `storage.runtime.url` or `KIT_STORE_URL`. */
  readonly setting: string;
}

/** The URL for messages: no password, and no parameter that could hold one. Throws KIT_STORE_UNAVAILABLE for text that is no such URL. */
export function locationOf({ url, setting }: PostgresPlace): string {
  if (!/^postgres(ql)?:\/\//.test(url)) throw notUrl(setting);
  try {
    const parsed = new URL(url);
    const host = parsed.searchParams.get('host') ?? parsed.host;
    const user = parsed.username === '' ? '' : `${parsed.username}@`;
    return `postgres://${user}${host}${parsed.pathname}`;
  } catch (cause) {
    throw notUrl(setting, cause);
  }
}

/** The text is not repeated: it may be a password in the wrong place. */
function notUrl(setting: string, cause?: unknown): KitError {
  return new KitError('KIT_STORE_UNAVAILABLE', `${setting} is no PostgreSQL URL`, {
    hint: `Write it as postgres://user:password@host:5432/database in ${setting}.`,
    ...(cause === undefined ? {} : { cause }),
  });
}
