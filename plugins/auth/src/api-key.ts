import { hash, timingSafeEqual } from 'node:crypto';
import { type AuthVerdict, type Caller, defineAuthProvider, isObject, type Json, KitError } from '@kit-run/kit/plugin';
import { bearerOf } from './bearer.js';

interface Key {
  readonly digest: Buffer;
  readonly caller: Caller;
}

/**
 * The host has checked the configuration; a key that is misread would let somebody in, so its shape
 * is checked once more.
 */
function keyOf(entry: Json): Key {
  const { sha256, client_id: clientId, client_name: clientName, scopes } = isObject(entry) ? entry : {};
  if (
    typeof sha256 !== 'string' ||
    !/^[0-9a-f]{64}$/.test(sha256) ||
    typeof clientId !== 'string' ||
    !Array.isArray(scopes)
  )
    throw new KitError('KIT_AUTH_INVALID', 'an entry of the provider api_key has no digest, client or scopes');
  return {
    digest: Buffer.from(sha256, 'hex'),
    caller: {
      clientId,
      clientName: typeof clientName === 'string' ? clientName : clientId,
      provider: 'api_key',
      scopes: scopes.filter((scope) => typeof scope === 'string'),
      assurance: 'authenticated',
    },
  };
}

const UNKNOWN: AuthVerdict = { kind: 'refused', detail: 'the key is not known', error: 'invalid_token' };

/** Every key is compared, whichever fits: how long it takes says nothing of which was close. */
export function findKey(keys: readonly Key[], token: string): Caller | null {
  const digest = hash('sha256', token, 'buffer');
  let found: Caller | null = null;
  for (const key of keys) if (timingSafeEqual(key.digest, digest)) found = key.caller;
  return found;
}

/**
 * Auth provider `api_key`: keys as digests; the keys themselves are resolved by kit and not known
 * here.
 */
export const contribution = defineAuthProvider({
  create: (config) => {
    const keys = (Array.isArray(config.keys) ? config.keys : []).map(keyOf);
    return {
      authenticate: async ({ authorization }) => {
        const bearer = bearerOf(authorization);
        if (bearer.kind === 'refused') return bearer;
        const caller = findKey(keys, bearer.token);
        return caller === null ? UNKNOWN : { kind: 'caller', caller };
      },
      info: () => ({ mode: 'api_key' }),
      warnings: [],
      identities: [...new Set(keys.map(({ caller }) => caller.clientId))],
    };
  },
});
