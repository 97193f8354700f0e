import {
  basicAuthorization,
  elapsedMs,
  isKitError,
  KitError,
  readBoundedJson,
  type SignIn,
  type SignInAnswer,
} from '@kit-run/kit/plugin';
import type { AuthorizationServer, ClientAuth } from 'oauth4webapi';
import { CACHE_MS, type IssuerContext, inTime, isAsSafe, MAX_BYTES, RETRY_MS } from './ask-issuer.js';
import type { JwtConfig } from './config.js';
import type { IssuerDocument } from './issuer-document.js';

/** Sign-ins that are with the issuer at the same time: whoever sends one here has no token yet. */
const MAX_AT_ONCE = 16;
const MAX_SHOWN = 200;

/** What signing in needs of the host. */
export interface SignInContext extends IssuerContext {
  readonly document: IssuerDocument;
  /** Who would call with this token; null = it is not accepted, and why. */
  readonly refusalOf: (token: string) => Promise<string | null>;
}

type Library = typeof import('oauth4webapi');

const failed = (why: string, cause?: unknown): KitError =>
  new KitError('KIT_LOGIN_FAILED', `the sign-in failed: ${why}`, cause === undefined ? {} : { cause });

/** Text of the issuer for people: one line of what can be printed, and not endless. */
const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, MAX_SHOWN);

/**
 * The code flow of the issuer (docs/auth.md#sign-in). Null without a `client_id`: the issuer would
 * not know who asks. Nothing is fetched before somebody wants to sign in.
 */
export function createSignIn(config: JwtConfig, context: SignInContext): SignIn | null {
  const { clientId } = config;
  if (clientId === null) return null;
  let kept: { readonly server: AuthorizationServer | null; readonly untilMs: number } | null = null;
  let pending: Promise<AuthorizationServer | null> | null = null;
  let atOnce = 0;

  const asking = async <T>(call: (options: CallOptions, library: Library) => Promise<T>): Promise<T> => {
    const library = await import('oauth4webapi');
    return inTime(context, (signal) => call(optionsOf(library, context.fetch, signal), library));
  };

  /** OpenID Connect Discovery; the address of the issuer was judged at the start. */
  const look = async (): Promise<AuthorizationServer | null> => {
    const issuer = new URL(config.issuer);
    const read = async (): Promise<AuthorizationServer> => {
      const said = await inTime(context, (signal) => context.document.read({ signal, maxAgeMs: 0 }));
      const { processDiscoveryResponse } = await import('oauth4webapi');
      return processDiscoveryResponse(issuer, Response.json(said));
    };
    const server = await read().catch(() => null);
    kept = { server, untilMs: elapsedMs(context.clock) + (server === null ? RETRY_MS : CACHE_MS) };
    pending = null;
    return server;
  };
  const metadata = async (): Promise<AuthorizationServer | null> => {
    if (kept !== null && elapsedMs(context.clock) < kept.untilMs) return kept.server;
    pending ??= look();
    return pending;
  };

  const exchange = async (server: AuthorizationServer, answer: SignInAnswer) =>
    asking(async (options, library) => {
      const client = { client_id: clientId };
      const query = new URLSearchParams({
        code: answer.code,
        ...(answer.issuer === null ? {} : { iss: answer.issuer }),
      });
      // The state is the affair of the page, which keeps it.
      const params = library.validateAuthResponse(server, client, query, library.skipStateCheck);
      const response = await library.authorizationCodeGrantRequest(
        server,
        client,
        clientAuth(library, config.clientSecret, server),
        params,
        answer.redirectUri,
        answer.verifier,
        options,
      );
      return library.processAuthorizationCodeResponse(server, client, response);
    });

  return {
    authorizationEndpoint: async () => {
      const found = (await metadata())?.authorization_endpoint;
      return found !== undefined && isAsSafe(found, config.issuer) ? found : null;
    },
    finish: async (answer) => {
      if (atOnce >= MAX_AT_ONCE) throw new KitError('KIT_CAPACITY', 'too many logins are open at once');
      atOnce += 1;
      try {
        const server = await metadata();
        if (server === null || !isAsSafe(server.token_endpoint ?? '', config.issuer))
          throw failed('the issuer does not say where tokens are to be had');
        const { access_token: access, id_token: id, expires_in } = await exchange(server, answer);
        const token = config.token === 'id' ? id : access;
        if (token === undefined) throw failed('the issuer gave no id token; the scope openid asks for it');
        const refusal = await context.refusalOf(token);
        if (refusal !== null)
          throw failed(`the issuer gave an ${config.token} token that this server does not accept: ${refusal}`);
        return { token, expiresInS: expires_in ?? null };
      } catch (error) {
        if (isKitError(error)) throw error;
        throw failed(await whyOf(error), error);
      } finally {
        atOnce -= 1;
      }
    },
  };
}

type CallOptions = ReturnType<typeof optionsOf>;

/** What is sent with a code follows no redirect: it would lead where nobody said. */
const optionsOf = (library: Library, fetch: typeof globalThis.fetch, signal: AbortSignal) => ({
  [library.customFetch]: async (url: string, init: object) => {
    const response = await fetch(url, { ...init, redirect: 'error', signal });
    const { status, headers } = response;
    // The library reads an answer to its end, however long it is.
    return new Response(JSON.stringify(await readBoundedJson(response, MAX_BYTES)), { status, headers });
  },
  // Whether http will do was judged with the address of the issuer.
  [library.allowInsecureRequests]: true,
});

function clientAuth(library: Library, secret: string | null, server: AuthorizationServer): ClientAuth {
  if (secret === null) return library.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  if (methods.includes('client_secret_post')) return library.ClientSecretPost(secret);
  return (_server, { client_id: clientId }, _body, headers) =>
    headers.set('authorization', basicAuthorization(clientId, secret));
}

/** What went wrong, without a word of what was sent. */
async function whyOf(error: unknown): Promise<string> {
  const library = await import('oauth4webapi');
  if (error instanceof library.ResponseBodyError)
    return `the issuer answers ${printable(error.error)}${error.error_description === undefined ? '' : `: ${printable(error.error_description)}`}`;
  if (error instanceof library.WWWAuthenticateChallengeError)
    return `the issuer answers ${error.status}, and does not know this client`;
  if (error instanceof library.OperationProcessingError)
    return `the issuer's answer is none: ${printable(error.message)}`;
  return 'the issuer does not answer';
}
