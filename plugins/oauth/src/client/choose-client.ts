import { isObject, KitError } from '@kit-run/kit/plugin';
import type { AuthorizationServer } from 'oauth4webapi';
import * as oauth from 'oauth4webapi';
import { callingBy } from '../discovery/server-metadata.js';
import type { Parts } from '../parts.js';
import type { ClientAuthMethod, KnownClient } from '../tokens/token-row.js';
import { loginFailed } from './refusal.js';

/** What is known of a client before it is. */
export interface ClientAsk {
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  /** https address of our client metadata document; null = there is none. */
  readonly clientMetadataUrl: string | null;
  /** Null: no browser comes back, as with a device. */
  readonly redirectUri: string | null;
  readonly scopes: readonly string[];
}

const METHODS: readonly ClientAuthMethod[] = ['none', 'client_secret_basic', 'client_secret_post'];
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

const methodIn = (text: unknown): ClientAuthMethod | null => METHODS.find((method) => method === text) ?? null;

/** With a secret the first of the two that the server takes; RFC 8414 says what silence means. */
function secretMethod({ token_endpoint_auth_methods_supported: taken }: AuthorizationServer): ClientAuthMethod {
  if (taken === undefined) return 'client_secret_basic';
  return taken.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post';
}

/** A public client where the server takes one, else what it takes. */
const registeredMethod = (server: AuthorizationServer): ClientAuthMethod => {
  const taken = server.token_endpoint_auth_methods_supported;
  return taken === undefined || taken.includes('none') ? 'none' : secretMethod(server);
};

/**
 * The client of a login: one that was given, else our metadata document where the server reads
 * such, else one that registers itself. Throws KIT_LOGIN_FAILED.
 */
export async function chooseClient(parts: Parts, server: AuthorizationServer, ask: ClientAsk): Promise<KnownClient> {
  const { clientId, clientSecret, clientMetadataUrl } = ask;
  if (clientId !== null)
    return { clientId, clientSecret, method: clientSecret === null ? 'none' : secretMethod(server) };
  if (server.client_id_metadata_document_supported === true && clientMetadataUrl !== null)
    return { clientId: clientMetadataUrl, clientSecret: null, method: 'none' };
  if (server.registration_endpoint === undefined)
    throw new KitError('KIT_LOGIN_FAILED', `${server.issuer} lets no client register itself`, {
      hint: 'Register kit there by hand, and give its client id (--client-id, `client_id`).',
    });
  return register(parts, server, ask);
}

async function register(
  { outbound, signal }: Parts,
  server: AuthorizationServer,
  { redirectUri, scopes }: ClientAsk,
): Promise<KnownClient> {
  const isLoopback = redirectUri === null || redirectUri.startsWith('http:');
  try {
    const response = await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: 'kit',
        redirect_uris: redirectUri === null ? [] : [redirectUri],
        grant_types: [redirectUri === null ? DEVICE_GRANT : 'authorization_code', 'refresh_token'],
        response_types: redirectUri === null ? [] : ['code'],
        token_endpoint_auth_method: registeredMethod(server),
        application_type: isLoopback ? 'native' : 'web',
        ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
      },
      callingBy(outbound, signal),
    );
    const client = await oauth.processDynamicClientRegistrationResponse(await completed(response));
    const clientSecret = typeof client.client_secret === 'string' ? client.client_secret : null;
    const asked = methodIn(client.token_endpoint_auth_method) ?? registeredMethod(server);
    return { clientId: client.client_id, clientSecret, method: clientSecret === null ? 'none' : asked };
  } catch (error) {
    throw loginFailed(`${server.issuer} does not register kit`, error);
  }
}

/**
 * Servers of the field answer 200, or give a secret without saying that it does not end (RFC 7591,
 * 3.2.1): a client is registered all the same.
 */
async function completed(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (status !== 200 && status !== 201) return response;
  const text = await response.text();
  const value: unknown = jsonIn(text);
  const lacksEnd = isObject(value) && value.client_secret !== undefined && value.client_secret_expires_at === undefined;
  const body = lacksEnd ? JSON.stringify({ ...value, client_secret_expires_at: 0 }) : text;
  return new Response(body, { status: 201, headers });
}

/** Null for what is not JSON: the library says so of the answer. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
