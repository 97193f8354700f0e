import { createHash, randomBytes } from 'node:crypto';
import type { LoginsApp, SignedIn } from '../../app/logins/logins-app.js';
import { KitError } from '../../domain/errors.js';
import { assertNever } from '../../lib/assert-never.js';
import { fieldsOf, maybeNumberAt, maybeTextAt, textAt, textsAt } from '../../lib/read-json.js';
import type { SentToken } from '../../remote/answers.js';
import { createRemoteClient } from '../../remote/remote-client.js';
import { type ServerAddress, serverAddress } from '../../remote/server-address.js';
import { oneLine } from '../../view/lines/words.js';
import { authorizationUrl, offerIn, type SignInEnd, signInEnd } from '../../view/sign-in.js';
import { tokenFor, versionIn } from './connect.js';
import { keepToken, keptTokens, tokensFile } from './kept-tokens.js';

const strange = ({ base }: ServerAddress): KitError =>
  new KitError('KIT_SERVER_ANSWER', `${base} does not answer as a kit server does`);

/** Signs in to servers, over the user's own file. */
export function openLogins({
  env,
  packageRoot,
}: {
  readonly env: NodeJS.ProcessEnv;
  readonly packageRoot: string;
}): LoginsApp {
  const clientOf = (address: ServerAddress, token: SentToken | null) =>
    createRemoteClient({ address, token, fetch, version: versionIn(packageRoot) });
  const whoIs = async (address: ServerAddress, token: SentToken | null): Promise<SignedIn> => {
    const { http, read } = clientOf(address, token);
    const me = fieldsOf(await read(http.GET('/whoami')));
    const identity = maybeTextAt(me, 'client_id');
    if (identity === null) throw strange(address);
    return {
      address: address.base,
      origin: address.origin,
      identity: oneLine(identity, 200),
      workspace: oneLine(textAt(me, 'workspace'), 100),
      scopes: textsAt(me, 'scopes').map((scope) => oneLine(scope, 100)),
    };
  };
  const keep = async (address: ServerAddress, token: string, expiresInS: number | null): Promise<SignedIn> => {
    const signed = await whoIs(address, { text: token, from: 'kept' });
    const now = Date.now();
    const until = expiresInS === null ? null : new Date(now + expiresInS * 1000).toISOString();
    keepToken(address.origin, { token, identity: signed.identity, at: new Date(now).toISOString(), until }, env);
    return signed;
  };
  return {
    ask: async (server) => {
      const address = serverAddress(server);
      const { http, read } = clientOf(address, null);
      const info = fieldsOf(await read(http.GET('/auth-info')));
      const mode = maybeTextAt(info, 'mode');
      if (mode === null) throw strange(address);
      return { address: address.base, mode: oneLine(mode, 100), signIn: offerIn(fieldsOf(info.oidc)) };
    },
    begin: async (server, offer, redirectUri) => {
      const address = serverAddress(server);
      const [state, verifier] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
      return {
        state,
        authorizationUrl: authorizationUrl(offer, { redirectUri, state, challenge: challengeOf(verifier) }),
        finish: async (query) => {
          const { code, issuer } = codeOf(signInEnd(query, state));
          const { http, read } = clientOf(address, null);
          const answer = fieldsOf(
            await read(
              http.POST('/auth/oidc/token', {
                body: {
                  code,
                  code_verifier: verifier,
                  redirect_uri: redirectUri,
                  ...(issuer === null ? {} : { iss: issuer }),
                },
              }),
            ),
          );
          const token = maybeTextAt(answer, 'token');
          if (token === null) throw strange(address);
          return keep(address, token, maybeNumberAt(answer, 'expires_in'));
        },
      };
    },
    inBrowser: async (login) => (await import('./in-browser.js')).inBrowser(login, env),
    keep: (server, token) => keep(serverAddress(server), token, null),
    check: (server) => {
      const address = serverAddress(server);
      return whoIs(address, tokenFor(address, env));
    },
    status: async () => ({
      path: tokensFile(env),
      kept: Object.entries(keptTokens(env)).map(([origin, { identity, at, until }]) => ({
        origin,
        identity,
        at,
        until,
      })),
      server: env.KIT_SERVER || null,
      hasVariable: Boolean(env.KIT_TOKEN),
    }),
    forget: async (server) => keepToken(serverAddress(server).origin, null, env),
  };
}

/** S256 of RFC 7636. */
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

function codeOf(end: SignInEnd): Extract<SignInEnd, { readonly kind: 'code' }> {
  switch (end.kind) {
    case 'code':
      return end;
    case 'refused':
      throw new KitError('KIT_LOGIN_FAILED', `the issuer did not sign you in: ${oneLine(end.why, 200)}`);
    case 'foreign':
      throw new KitError('KIT_LOGIN_STATE', 'this is not the address at which this sign-in ended');
    default:
      return assertNever(end);
  }
}
