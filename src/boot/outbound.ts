import type { OutboundFetch } from '../domain/ports/outbound.js';
import type { Runs } from './app-runs.js';

/** Calls to addresses that a file, a caller or a peer names, under the rules of this process. */
export interface Outbound {
  /** The rules are read with each request: a reload changes them. */
  readonly fetchOf: (workspace: string) => OutboundFetch;
  /**
   * This process serves there; before, and in a process that serves nothing, whoever asks sits at
   * this machine.
   */
  readonly servesAt: (host: string) => void;
}

/** Wires the guarded fetch; nothing of it is imported before the first request. */
export function createOutbound(runs: Pick<Runs, 'session'>): Outbound {
  let served: string | null = null;
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
        // A workspace with errors lists nobody.
        allow: await runs.session(workspace).then(
          (session) => session.workspace.server.outbound.allow,
          () => [],
        ),
      });
      return createGuardedFetch({ rules })(url, init);
    },
  };
}
