import { type DeviceCode, KitError, type LoginAsk, type StoredLogin } from '@kit-run/kit/plugin';
import * as oauth from 'oauth4webapi';
import { clientAuth, clientOf } from '../client/auth.js';
import { chooseClient } from '../client/choose-client.js';
import { loginFailed } from '../client/refusal.js';
import { discover } from '../discovery/discover.js';
import { callingBy, isPrivateWay } from '../discovery/server-metadata.js';
import { quoted } from '../discovery/values.js';
import type { Parts } from '../parts.js';
import { keepToken, type LoginFacts } from './keep-token.js';
import { loginScopes } from './login-scopes.js';

/** RFC 8628: the pause where the provider names none, and what `slow_down` adds. */
const PAUSE_S = 5;
const MAX_PAUSE_S = 60;

/** See `CredentialLogins.device`. */
export async function deviceLogin(parts: Parts, ask: LoginAsk, show: (code: DeviceCode) => void): Promise<StoredLogin> {
  const { credential, owner, endpoint, clientId, clientSecret } = ask;
  const { server, resource, scopes: asked } = await discover(endpoint, parts.outbound);
  if (server.device_authorization_endpoint === undefined)
    throw new KitError('KIT_LOGIN_FAILED', `${server.issuer} offers no login by device code`, {
      hint: 'Log in with --no-browser: it prints the address, and takes the one that the browser ends at.',
    });
  const scopes = loginScopes(ask.scopes, { advertised: asked, server });
  const known = await chooseClient(parts, server, {
    ...{ clientId, clientSecret, scopes },
    clientMetadataUrl: null,
    redirectUri: null,
  });
  const client = clientOf(known);
  const calling = callingBy(parts.outbound, parts.signal);
  const params = { resource, ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }) };
  let deviceCode: string | null = null;
  try {
    const response = await oauth.deviceAuthorizationRequest(server, client, clientAuth(known), params, calling);
    const code = await oauth.processDeviceAuthorizationResponse(server, client, response);
    deviceCode = code.device_code;
    show(shown(code));
    const facts: LoginFacts = { credential, owner, endpoint, resource, scopes, client: known, server };
    return await keepToken(parts, facts, await polled(parts, { server, known, resource, code }));
  } catch (error) {
    throw loginFailed(`the login for ${credential} was not completed`, error, { client: known, values: [deviceCode] });
  }
}

/** What people are shown is bounded, and leads nowhere but to https. */
function shown(code: oauth.DeviceAuthorizationResponse): DeviceCode {
  const uri = URL.parse(code.verification_uri);
  if (uri === null || !isPrivateWay(uri))
    throw new KitError('KIT_LOGIN_FAILED', 'its verification_uri is neither https nor at this machine');
  const complete = code.verification_uri_complete === undefined ? null : URL.parse(code.verification_uri_complete);
  return {
    userCode: quoted(code.user_code, 40),
    verificationUri: uri.href,
    verificationUriComplete: complete !== null && isPrivateWay(complete) ? complete.href : null,
    expiresInS: code.expires_in,
  };
}

interface Polling {
  readonly server: oauth.AuthorizationServer;
  readonly known: LoginFacts['client'];
  readonly resource: string;
  readonly code: oauth.DeviceAuthorizationResponse;
}

/** Asks until somebody has said yes or no, at the pace that the provider asks for. */
async function polled(
  { clock, outbound, signal }: Parts,
  { server, known, resource, code }: Polling,
): Promise<oauth.TokenEndpointResponse> {
  const client = clientOf(known);
  const endMs = clock.now() + code.expires_in * 1000;
  let pauseS = Math.min(code.interval ?? PAUSE_S, MAX_PAUSE_S);
  while (clock.now() < endMs) {
    await clock.sleep(pauseS * 1000, signal);
    const response = await oauth.deviceCodeGrantRequest(server, client, clientAuth(known), code.device_code, {
      ...callingBy(outbound, signal),
      additionalParameters: { resource },
    });
    try {
      return await oauth.processDeviceCodeResponse(server, client, response);
    } catch (error) {
      const word = error instanceof oauth.ResponseBodyError ? error.error : '';
      if (word === 'slow_down') pauseS += PAUSE_S;
      else if (word !== 'authorization_pending') throw error;
    }
  }
  throw new KitError('KIT_LOGIN_FAILED', 'the code expired before it was entered');
}
