import type { OutboundAddresses, OutboundFetch } from '../domain/ports/outbound.js';
import type { Runs } from './app-runs.js';

/** Calls to addresses that a file, a caller or a peer names, under the rules of this process. */
export interface Outbound {
  /** The rules are read with each request: a reload changes them. */
  readonly fetchOf: (workspace: string) => OutboundFetch;
  /** For what runs in a container of a run of the workspace. */
  readonly addressesOf: (workspace: string) => OutboundAddresses;
  /**
   * This process serves there; before, and in a process that serves nothing, whoever asks sits at
   * this machine.
   */
  readonly servesAt: (host: string) => void;
}

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
