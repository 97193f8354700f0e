import { isObject, type Json, type JsonObject, KitError } from '@kit-run/kit/plugin';
import { DEFAULTS } from '../generated/defaults.js';

/** Settings of `jwt` with their defaults (docs/auth.md#jwt). */
export interface JwtConfig {
  readonly issuer: string;
  readonly audience: string;
  /** Null: discovery, then the fixed path below the issuer. */
  readonly jwksUrl: string | null;
  readonly scopesClaim: string;
  readonly clientIdClaim: string;
  /** What the issuer calls this server; null = nobody signs in through a browser. */
  readonly clientId: string | null;
  /** Of a confidential client; null = PKCE alone. */
  readonly clientSecret: string | null;
  readonly scope: string;
  /** Which token of a sign-in is used. */
  readonly token: 'access' | 'id';
  readonly requiredClaims: Readonly<Record<string, string>>;
  readonly baseScopes: readonly string[];
}

const text = (config: JsonObject, key: string): string | null => {
  const value = config[key];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
};

const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const textMapOf = (value: Json | undefined): Readonly<Record<string, string>> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {};

/** Throws KIT_AUTH_INVALID for a configuration without an issuer that can be asked. */
export function decodeConfig(config: JsonObject): JwtConfig {
  const issuer = text(config, 'issuer');
  const jwksUrl = text(config, 'jwks_url');
  if (issuer === null || !isWebAddress(issuer))
    throw new KitError('KIT_AUTH_INVALID', 'the provider jwt needs an issuer, as https://...');
  if (jwksUrl !== null && !isWebAddress(jwksUrl))
    throw new KitError('KIT_AUTH_INVALID', 'jwks_url of the provider jwt is not an address of the web');
  const [audience, clientId] = [text(config, 'audience') ?? DEFAULTS.jwt.audience, text(config, 'client_id')];
  return {
    issuer,
    audience,
    jwksUrl,
    scopesClaim: text(config, 'scopes_claim') ?? DEFAULTS.jwt.scopes_claim,
    clientIdClaim: text(config, 'client_id_claim') ?? DEFAULTS.jwt.client_id_claim,
    clientId,
    clientSecret: text(config, 'client_secret'),
    token: tokenOf(text(config, 'token'), audience === clientId),
    scope: text(config, 'scope') ?? DEFAULTS.jwt.scope,
    requiredClaims: textMapOf(config.required_claims),
    baseScopes: textsOf(config.base_scopes),
  };
}

/** An id token is for its client: where that is the audience, it is what is meant. */
const tokenOf = (written: string | null, isForClient: boolean): JwtConfig['token'] =>
  written === 'id' || written === 'access' ? written : isForClient ? 'id' : 'access';

const isWebAddress = (address: string): boolean => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

/** What a browser needs to start a login; nothing of it is checked here. */
export const publicInfo = ({ issuer, audience, clientId, scope, token }: JwtConfig): JsonObject => ({
  issuer,
  audience,
  ...(clientId === null ? {} : { client_id: clientId, scope, token }),
});

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** Whoever sits on the way of a request in the clear could put keys of their own in its answer. */
export function warningsOf({ issuer, jwksUrl }: JwtConfig): readonly string[] {
  const inTheClear = (address: string): boolean =>
    new URL(address).protocol === 'http:' && !LOOPBACK.includes(new URL(address).hostname);
  return [issuer, ...(jwksUrl === null ? [] : [jwksUrl])]
    .filter(inTheClear)
    .map(
      (address) =>
        `the keys of the issuer are fetched over http from ${new URL(address).host}: whoever is on the way can replace them`,
    );
}
