import type { LoginsApp, SignedIn } from '../../app/logins/logins-app.js';
import { KitError } from '../../domain/errors.js';
import { fieldsOf, maybeTextAt, textAt, textsAt } from '../../lib/read-json.js';
import { createRemoteClient } from '../../remote/remote-client.js';
import { type ServerAddress, serverAddress } from '../../remote/server-address.js';
import { oneLine } from '../../view/lines/words.js';
import { tokenFor, versionIn } from './connect.js';
import { keepToken, keptTokens, tokensFile } from './kept-tokens.js';

/** Signs in to servers, over the user's own file. */
export function openLogins({
  env,
  packageRoot,
}: {
  readonly env: NodeJS.ProcessEnv;
  readonly packageRoot: string;
}): LoginsApp {
  const clientOf = (address: ServerAddress, token: string | null) =>
    createRemoteClient({ address, token, fetch, version: versionIn(packageRoot) });
  const whoIs = async (address: ServerAddress, token: string | null): Promise<SignedIn> => {
    const { http, read } = clientOf(address, token);
    const me = fieldsOf(await read(http.GET('/whoami')));
    const identity = maybeTextAt(me, 'client_id');
    if (identity === null)
      throw new KitError('KIT_SERVER_ANSWER', `${address.base} does not answer as a kit server does`);
    return {
      address: address.base,
      origin: address.origin,
      identity: oneLine(identity, 200),
      workspace: oneLine(textAt(me, 'workspace'), 100),
      scopes: textsAt(me, 'scopes').map((scope) => oneLine(scope, 100)),
    };
  };
  return {
    ask: async (server) => {
      const address = serverAddress(server);
      const { http, read } = clientOf(address, null);
      const mode = maybeTextAt(fieldsOf(await read(http.GET('/auth-info'))), 'mode');
      if (mode === null)
        throw new KitError('KIT_SERVER_ANSWER', `${address.base} does not answer as a kit server does`);
      return { address: address.base, mode: oneLine(mode, 100) };
    },
    keep: async (server, token) => {
      const address = serverAddress(server);
      const signed = await whoIs(address, token);
      const at = new Date().toISOString();
      keepToken(address.origin, { token, identity: signed.identity, at }, env);
      return signed;
    },
    check: (server) => {
      const address = serverAddress(server);
      return whoIs(address, tokenFor(address, env));
    },
    status: async () => ({
      path: tokensFile(env),
      kept: Object.entries(keptTokens(env)).map(([origin, { identity, at }]) => ({ origin, identity, at })),
      server: env.KIT_SERVER || null,
      hasVariable: Boolean(env.KIT_TOKEN),
    }),
    forget: async (server) => keepToken(serverAddress(server).origin, null, env),
  };
}
