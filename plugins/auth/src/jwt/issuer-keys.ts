import { elapsedMs, isObject, KitError, type Log, messageOf } from '@kit-run/kit/plugin';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { CACHE_MS, type IssuerContext, inTime, isAsSafe, RETRY_MS } from './ask-issuer.js';
import type { JwtConfig } from './config.js';
import { fetchJson, type IssuerDocument } from './issuer-document.js';

const COOLDOWN_MS = 30_000;

/** What fetching keys needs of the host. */
export interface KeyContext extends IssuerContext {
  readonly log: Pick<Log, 'warn'>;
}

/** The public keys of one issuer. */
export interface IssuerKeys {
  /**
   * Fetched when there are none, or when they are older than 10 minutes. Throws KIT_NOT_READY when
   * they are not to be had.
   */
  current(): Promise<JWTVerifyGetKey>;
  /**
   * After a key was not found: newer keys, or null when the issuer was asked within 30 seconds, or
   * has none.
   */
  afterUnknown(): Promise<JWTVerifyGetKey | null>;
}

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  isObject(value) && Array.isArray(value.keys) && value.keys.every(isObject);

/**
 * The address of the keys: as written, else what discovery says, else the fixed path
 * (docs/auth.md#jwt).
 */
async function addressOf({ config, document }: KeysRequest, signal: AbortSignal, maxAgeMs: number): Promise<string> {
  const { issuer, jwksUrl } = config;
  if (jwksUrl !== null) return jwksUrl;
  const fixed = `${issuer.replace(/\/+$/, '')}/.well-known/jwks.json`;
  const found = await document.read({ signal, maxAgeMs }).catch(() => null);
  // The document of somebody else says nothing of this issuer's keys (OpenID Connect Discovery
  // 4.3).
  if (!isObject(found) || found.issuer !== issuer || typeof found.jwks_uri !== 'string') return fixed;
  return isAsSafe(found.jwks_uri, issuer) ? found.jwks_uri : fixed;
}

const fetchKeys = (asked: KeysRequest, maxAgeMs: number): Promise<JWTVerifyGetKey> =>
  inTime(asked.context, async (signal) => {
    const keys = await fetchJson(asked.context, await addressOf(asked, signal, maxAgeMs), signal);
    if (!isKeySet(keys)) throw new Error('the answer is not a set of keys');
    return createLocalJWKSet(keys);
  });

/** Whose keys, where that issuer says they are, and with what it is asked. */
interface KeysRequest {
  readonly config: JwtConfig;
  readonly document: IssuerDocument;
  readonly context: KeyContext;
}

/** Keys in memory; requests that come at the same time wait for one fetch. */
export function createIssuerKeys(asked: KeysRequest): IssuerKeys {
  const { config, context } = asked;
  let kept: { readonly keys: JWTVerifyGetKey; readonly atMs: number } | null = null;
  let failedAtMs: number | null = null;
  let fetching: Promise<JWTVerifyGetKey> | null = null;

  const unreachable = (): KitError =>
    new KitError('KIT_NOT_READY', 'tokens cannot be checked now: the keys of the issuer cannot be fetched', {
      hint: 'Try again in a moment; the log of the server says what the issuer answered.',
    });

  async function refresh(maxAgeMs: number): Promise<JWTVerifyGetKey> {
    try {
      const keys = await fetchKeys(asked, maxAgeMs);
      kept = { keys, atMs: elapsedMs(context.clock) };
      failedAtMs = null;
      return keys;
    } catch (error) {
      failedAtMs = elapsedMs(context.clock);
      context.log.warn('the keys of the issuer could not be fetched', {
        issuer: config.issuer,
        reason: messageOf(error),
      });
      throw unreachable();
    } finally {
      fetching = null;
    }
  }

  const mayAsk = (): boolean => failedAtMs === null || elapsedMs(context.clock) - failedAtMs >= RETRY_MS;
  const ask = (maxAgeMs: number): Promise<JWTVerifyGetKey> => (fetching ??= refresh(maxAgeMs));

  return {
    current: async () => {
      if (kept !== null && elapsedMs(context.clock) - kept.atMs < CACHE_MS) return kept.keys;
      if (fetching === null && !mayAsk()) throw unreachable();
      // A sign-in has just read what the issuer says, and its token is what asks for keys.
      return ask(CACHE_MS);
    },
    afterUnknown: async () => {
      const lastMs = Math.max(kept?.atMs ?? Number.NEGATIVE_INFINITY, failedAtMs ?? Number.NEGATIVE_INFINITY);
      if (fetching === null && elapsedMs(context.clock) - lastMs < COOLDOWN_MS) return null;
      // Other keys still hold: a token whose key nobody knows is refused, and the issuer is asked
      // again later.
      return ask(0).catch(() => null);
    },
  };
}
