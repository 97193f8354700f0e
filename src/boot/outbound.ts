import type { Outbound, Runs } from './parts.js';

/** Wires the guarded fetch; nothing of it is imported before the first request. */
export function createOutbound(runs: Pick<Runs, 'session'>): Outbound {
  let served: string | null = null;
  // A workspace with errors lists nobody.
  const allowOf = (workspace: string): Promise<readonly string[]> =>
    runs.session(workspace).then(
      (session) => session.workspace.server.outbound.allow,
      () => [],
    );
  return {
    servesAt: (host) => {
      served = host;
    },
    fetchOf: (workspace) => async (url, init) => {
      const [{ createGuardedFetch }, { isLoopback }] = await Promise.all([
        import('../system/guarded-fetch/guarded-fetch.js'),
        import('../govern/serving/start-rules.js'),
      ]);
      const rules = async () => ({
        isLocal: served === null || isLoopback(served),
        allow: await allowOf(workspace),
      });
      return createGuardedFetch({ rules })(url, init);
    },
    addressesOf: (workspace) => async (host) => {
      const { createOutboundAddresses } = await import('../system/guarded-fetch/guarded-fetch.js');
      return createOutboundAddresses({ rules: async () => ({ allow: await allowOf(workspace) }) })(host);
    },
  };
}
