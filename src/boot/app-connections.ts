import type { ConnectionsApp } from '../app/connections/connections-app.js';
import { isKitError } from '../domain/errors.js';
import type { PluginHost } from '../domain/extension-points.js';
import type { AppParts, Outbound, Runs } from './parts.js';

/** Wires the use cases around logins at servers and agents elsewhere. */
export async function openConnections(
  { env, host }: Pick<AppParts, 'env'> & { readonly host: () => Promise<PluginHost> },
  runs: Runs,
  outbound: Outbound,
): Promise<ConnectionsApp> {
  const { createConnectionsApp } = await import('../app/connections/create-connections-app.js');
  return createConnectionsApp({
    session: runs.session,
    probeAgent: async ({ workspace, cardUrl, anywhere = false }) => {
      const { probeAgent } = await import('../app/connections/remote-agents.js');
      const plugins = await runs.session(workspace).then(
        (session) => session.plugins,
        (error: unknown) => {
          if (anywhere && isKitError(error) && error.code === 'KIT_WORKSPACE_NOT_FOUND') return host();
          throw error;
        },
      );
      const transport = await plugins.resolve('agentTransports', 'a2a', {});
      return probeAgent(cardUrl, { transport, fetch: outbound.fetchOf(workspace) });
    },
    agents: async ({ workspace }) => {
      const { remoteAgentsOf } = await import('../app/connections/remote-agents.js');
      return remoteAgentsOf((await runs.session(workspace)).workspace);
    },
    rotateKey: async (workspace) => {
      const [{ resealAll }, { rotateKeyFile }] = await Promise.all([
        import('../host/vault.js'),
        import('./vault-keys.js'),
      ]);
      const session = await runs.session(workspace);
      // No key is made, and no store, where nothing was ever sealed.
      if ((await session.vault.existing())?.isThere() !== true) return { rows: 0, source: null };
      const { sealed, backend } = await session.openStores();
      const place = { env, storeId: await sealed.id(), backend, log: { warn: () => {} } };
      // Both keys open rows until the last one is sealed anew: other processes go on meanwhile.
      const file = rotateKeyFile(place);
      const rows = await resealAll(session.vault);
      file?.dropOldKey();
      return { rows, source: (await session.vault.keys(true)).source };
    },
  });
}
