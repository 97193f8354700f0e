import { isKitError, isObject, KitError, type OutboundFetch } from '@kit-run/kit/plugin';
import type { AuthorizationServer } from 'oauth4webapi';
import { findResourceMetadata } from './resource-metadata.js';
import { findServerMetadata, guessedServer, isPrivateWay } from './server-metadata.js';
import { objectAt, textAt } from './values.js';

type Document = Readonly<Record<string, unknown>>;

/** In 1.0 a scheme lies below the name of its kind; in 0.3 it says its `type`. */
const schemeOf = (scheme: Document, type: string): Document | null =>
  textAt(scheme, 'type') === type ? scheme : objectAt(scheme, `${type}SecurityScheme`);

/** The document of metadata, or the address of a token, from which the issuer is to be had. */
function hintOf(scheme: Document): { readonly document: string | null; readonly token: string | null } | null {
  const connect = schemeOf(scheme, 'openIdConnect');
  if (connect !== null) return { document: textAt(connect, 'openIdConnectUrl'), token: null };
  const oauth2 = schemeOf(scheme, 'oauth2');
  if (oauth2 === null) return null;
  const code = objectAt(objectAt(oauth2, 'flows') ?? {}, 'authorizationCode');
  return {
    document: textAt(oauth2, 'oauth2MetadataUrl'),
    token: code === null ? null : (textAt(code, 'authorizationUrl') ?? textAt(code, 'tokenUrl')),
  };
}

async function jsonAt(url: string, fetch: OutboundFetch): Promise<Document | null> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    if (response.status === 200) {
      const value: unknown = JSON.parse(await response.text());
      return isObject(value) ? value : null;
    }
    await response.body?.cancel();
    return null;
  } catch (error) {
    if (isKitError(error) && error.code === 'KIT_OUTBOUND_REFUSED') throw error;
    return null;
  }
}

/**
 * Issuer that the card of an agent names with its scheme `openIdConnect` or `oauth2`; null = the
 * address is not a card, or its card names none. Throws KIT_OUTBOUND_REFUSED.
 */
async function issuerOfCard(endpoint: URL, fetch: OutboundFetch): Promise<string | null> {
  if (!/\.json$/.test(endpoint.pathname)) return null;
  const card = await jsonAt(endpoint.href, fetch);
  const schemes = card === null ? null : objectAt(card, 'securitySchemes');
  for (const scheme of Object.values(schemes ?? {})) {
    const hint = isObject(scheme) ? hintOf(scheme) : null;
    if (hint === null) continue;
    const document = hint.document === null ? null : await jsonAt(hint.document, fetch);
    const issuer = document === null ? null : textAt(document, 'issuer');
    const found = issuer ?? (hint.token === null ? null : (URL.parse(hint.token)?.origin ?? null));
    if (found !== null) return found;
  }
  return null;
}

/** Where people log in for a server, judged: every address may be sent secrets. */
export interface Discovered {
  readonly server: AuthorizationServer & { readonly authorization_endpoint: string; readonly token_endpoint: string };
  /** What the token is for (RFC 8707). */
  readonly resource: string;
  /** What the server asks for, in its challenge or its metadata; [] = it does not say. */
  readonly scopes: readonly string[];
}

const MAX_SCOPES = 100;
const MAX_CHARS = 200;

const failed = (message: string): KitError => new KitError('KIT_LOGIN_FAILED', message);

export const boundedScopes = (scopes: readonly unknown[]): readonly string[] =>
  scopes
    .filter((scope): scope is string => typeof scope === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
    .filter((scope) => scope.length <= MAX_CHARS)
    .slice(0, MAX_SCOPES);

/** Endpoints that a login, a refresh or the end of one calls. */
const ENDPOINTS = ['registration_endpoint', 'revocation_endpoint', 'device_authorization_endpoint'] as const;

/** Null: a browser may be sent there with a login, and a token asked for. */
function flawOf(name: string, text: unknown): string | null {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (url === null) return `its metadata has no ${name}`;
  if (url.username !== '' || url.password !== '') return `its ${name} holds a user or a password`;
  return isPrivateWay(url) ? null : `its ${name} is neither https nor at this machine`;
}

function judged(server: AuthorizationServer): Discovered['server'] {
  const { authorization_endpoint, token_endpoint } = server;
  const flaw =
    flawOf('authorization_endpoint', authorization_endpoint) ??
    flawOf('token_endpoint', token_endpoint) ??
    ENDPOINTS.map((name) => (server[name] === undefined ? null : flawOf(name, server[name]))).find(
      (one) => one !== null,
    ) ??
    null;
  if (flaw !== null || authorization_endpoint === undefined || token_endpoint === undefined)
    throw failed(flaw ?? 'its metadata is not complete');
  // Without it a code that somebody else sees is worth a token (RFC 7636).
  if (server.code_challenge_methods_supported?.includes('S256') !== true)
    throw failed('its metadata does not name S256');
  return { ...server, authorization_endpoint, token_endpoint };
}

/**
 * Looks for where people log in for a server: its metadata, or the card of an agent, and then the
 * metadata of the authorization server. `guesses`: a server that wants a token, and has no metadata
 * at all, is tried at the addresses of 2025-03-26. Throws KIT_LOGIN_FAILED with what is missing,
 * KIT_OUTBOUND_REFUSED for an address that is not called.
 */
export async function discover(
  endpoint: string,
  fetch: OutboundFetch,
  { guesses = false }: { readonly guesses?: boolean } = {},
): Promise<Discovered> {
  const url = URL.parse(endpoint);
  if (url === null) throw failed('the endpoint is not an address');
  url.hash = '';
  try {
    const named = await issuerOfCard(url, fetch);
    const found = named === null ? await findResourceMetadata(url, fetch) : null;
    const issuer = URL.parse(named ?? found?.issuer ?? '');
    if (issuer === null || !isPrivateWay(issuer))
      throw failed('its authorization server is neither https nor at this machine');
    const isGuess = named === null && found?.resource === null;
    const server =
      (await findServerMetadata({ issuer, isGuess }, fetch)) ??
      (guesses && isGuess && found?.isClosed === true ? guessedServer(issuer) : null);
    if (server === null) throw failed(`${issuer.host} has no metadata of an authorization server of that name`);
    return {
      server: judged(server),
      resource: found?.resource ?? url.href,
      scopes: boundedScopes(found?.challenged ?? found?.scopes ?? []),
    };
  } catch (error) {
    // Words of kit alone, which quote no answer.
    if (isKitError(error) && error.code === 'KIT_OUTBOUND_FAILED') throw failed(error.message);
    throw error;
  }
}
