import { type CredentialLogins, defineCredentialSource, type StoredLogin } from '@kit-run/kit/plugin';
import { probeOAuth } from './discovery/probe.js';
import { beginLogin } from './login/begin.js';
import { deviceLogin } from './login/device.js';
import { finishLogin } from './login/finish.js';
import { type Parts, TOKEN } from './parts.js';
import { prepareToken } from './tokens/prepare.js';
import { refusedToken } from './tokens/refused.js';
import { removeLogin } from './tokens/remove.js';
import { resolveToken } from './tokens/resolve.js';
import { storedLogin } from './tokens/stored-login.js';

const storedLogins = async ({ vault, clock }: Parts): Promise<readonly StoredLogin[]> =>
  (await vault.list(TOKEN)).map((row) => storedLogin(row, clock.now()));

const loginsOf = (parts: Parts): CredentialLogins => ({
  probe: (endpoint) => probeOAuth(endpoint, parts.outbound),
  begin: (ask) => beginLogin(parts, ask),
  finish: (answer) => finishLogin(parts, answer),
  device: (ask, show) => deviceLogin(parts, ask, show),
  list: () => storedLogins(parts),
  remove: (credential, owner) => removeLogin(parts, credential, owner),
});

/** Credentials whose value is the token of a login (`config.endpoint`, `config.owner`). */
export const contribution = defineCredentialSource({
  create: (_config, parts) => ({
    resolve: (name, config) => resolveToken(parts, name, config),
    prepare: async (uses, { owner, windowS }) => {
      await Promise.all(uses.map((use) => prepareToken(parts, { use, owner, windowMs: windowS * 1000 })));
    },
    refused: (use, refusal) => refusedToken(parts, use, refusal),
    status: async (name) => (await storedLogins(parts)).filter(({ credential }) => credential === name),
    logins: loginsOf(parts),
  }),
});
