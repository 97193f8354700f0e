import { KitError, type Log, readBoundedJson } from '@kit-run/kit/plugin';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { CACHE_MS, type IssuerContext, inTime, isAsSafe, MAX_BYTES, RETRY_MS } from './ask-issuer.js';
import type { JwtConfig } from './config.js';

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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  isObject(value) && Array.isArray(value.keys) && value.keys.every(isObject);

/**
 * One document of the issuer. Redirects are not followed: they would lead to an address that nobody
 * wrote.
 */
async function fetchJson(context: KeyContext, url: string, signal: AbortSignal): Promise<unknown> {
  const response = await context.fetch(url, { headers: { accept: 'application/json' }, redirect: 'error', signal });
  if (response.ok) return readBoundedJson(response, MAX_BYTES);
  await response.body?.cancel();
  throw new Error(`status ${response.status}`);
}

/**
 * The address of the keys: as written, else what discovery says, else the fixed path
 * (docs/auth.md#jwt).
 */
async function addressOf({ issuer, jwksUrl }: JwtConfig, context: KeyContext, signal: AbortSignal): Promise<string> {
  if (jwksUrl !== null) return jwksUrl;
  const base = issuer.replace(/\/+$/, '');
  const fixed = `${base}/.well-known/jwks.json`;
  const found = await fetchJson(context, `${base}/.well-known/openid-configuration`, signal).catch(() => null);
  // The document of somebody else says nothing of this issuer's keys (OpenID Connect Discovery
  // 4.3).
  if (!isObject(found) || found.issuer !== issuer || typeof found.jwks_uri !== 'string') return fixed;
  return isAsSafe(found.jwks_uri, issuer) ? found.jwks_uri : fixed;
}

const fetchKeys = (config: JwtConfig, context: KeyContext): Promise<JWTVerifyGetKey> =>
  inTime(context, async (signal) => {
    const document = await fetchJson(context, await addressOf(config, context, signal), signal);
    if (!isKeySet(document)) throw new Error('the answer is no set of keys');
    return createLocalJWKSet(document);
  });

/** Keys in memory; requests that come at the same time wait for one fetch. */
export function createIssuerKeys(config: JwtConfig, context: KeyContext): IssuerKeys {
  let kept: { readonly keys: JWTVerifyGetKey; readonly atMs: number } | null = null;
  let failedAtMs: number | null = null;
  let fetching: Promise<JWTVerifyGetKey> | null = null;

  const unreachable = (): KitError =>
    new KitError('KIT_NOT_READY', 'tokens cannot be checked now: the keys of the issuer cannot be fetched', {
      hint: 'Try again in a moment; the log of the server says what the issuer answered.',
    });

  async function refresh(): Promise<JWTVerifyGetKey> {
    try {
      const keys = await fetchKeys(config, context);
      kept = { keys, atMs: context.clock.now() };
      failedAtMs = null;
      return keys;
    } catch (error) {
      failedAtMs = context.clock.now();
      context.log.warn('the keys of the issuer could not be fetched', {
        issuer: config.issuer,
        reason: error instanceof Error ? error.message : String(error),
      });
      throw unreachable();
    } finally {
      fetching = null;
    }
  }

  const mayAsk = (): boolean => failedAtMs === null || context.clock.now() - failedAtMs >= RETRY_MS;
  const ask = (): Promise<JWTVerifyGetKey> => (fetching ??= refresh());

  return {
    current: async () => {
      if (kept !== null && context.clock.now() - kept.atMs < CACHE_MS) return kept.keys;
      if (fetching === null && !mayAsk()) throw unreachable();
      return ask();
    },
    afterUnknown: async () => {
      const lastMs = Math.max(kept?.atMs ?? 0, failedAtMs ?? 0);
      if (fetching === null && context.clock.now() - lastMs < COOLDOWN_MS) return null;
      // Other keys still hold: a token whose key nobody knows is refused, and the issuer is asked
      // again later.
      return ask().catch(() => null);
    },
  };
}
