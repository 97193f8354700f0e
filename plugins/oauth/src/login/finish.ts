import { timingSafeEqual } from 'node:crypto';
import { KitError, type StoredLogin } from '@kit-run/kit/plugin';
import * as oauth from 'oauth4webapi';
import { clientAuth, clientOf } from '../client/auth.js';
import { loginFailed } from '../client/refusal.js';
import { callingBy } from '../discovery/server-metadata.js';
import { quoted } from '../discovery/values.js';
import { LOGIN, LOGIN_MS, type Parts } from '../parts.js';
import { keepToken } from './keep-token.js';
import { decodeLogin, digest, type LoginRow, loginName } from './login-row.js';

const MAX_STATE_CHARS = 200;

const unknownState = (): KitError =>
  new KitError(
    'KIT_LOGIN_STATE',
    'no login waits for this answer: it expired, was answered before, or was never started',
  );

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * The login that the state names, taken away: it is good for one answer. Throws KIT_LOGIN_STATE,
 * also for an answer that another browser brings.
 */
async function takeLogin({ vault }: Parts, state: string | null, binding: string | null): Promise<LoginRow> {
  if (state === null || state.length > MAX_STATE_CHARS) throw unknownState();
  const entry = await vault.take({ kind: LOGIN, name: loginName(state), owner: '' }, LOGIN_MS);
  if (entry === null) throw unknownState();
  const login = decodeLogin(entry.value);
  if (binding === null || !isSame(digest(binding), login.binding))
    throw new KitError('KIT_LOGIN_STATE', 'another browser began this login');
  return login;
}

/** See `CredentialLogins.finish`. */
export async function finishLogin(
  parts: Parts,
  { query, binding }: { readonly query: string; readonly binding: string | null },
): Promise<StoredLogin> {
  const answer = new URLSearchParams(query);
  const state = answer.get('state');
  const login = await takeLogin(parts, state, binding);
  const client = clientOf(login.client);
  const calling = callingBy(parts.outbound, parts.signal);
  try {
    const params = oauth.validateAuthResponse(login.server, client, answer, state ?? oauth.expectNoState);
    const response = await oauth.authorizationCodeGrantRequest(
      login.server,
      client,
      clientAuth(login.client),
      params,
      login.redirectUri,
      login.verifier,
      { ...calling, additionalParameters: { resource: login.resource } },
    );
    return await keepToken(parts, login, await oauth.processAuthorizationCodeResponse(login.server, client, response));
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError)
      throw new KitError('KIT_LOGIN_FAILED', `${login.server.issuer} says ${saidOf(error)}`);
    throw loginFailed(`the login for ${login.credential} was not completed`, error, {
      client: login.client,
      values: [answer.get('code'), login.verifier],
    });
  }
}

const saidOf = ({ error, error_description: text }: oauth.AuthorizationResponseError): string =>
  `${quoted(error, 60)}${text === undefined ? '' : `: ${quoted(text)}`}`;
