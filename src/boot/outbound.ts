import type { OutboundFetch } from '../domain/ports/outbound.js';
import { isLoopback } from '../govern/serving/start-rules.js';
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
  let isLocal = true;
  return {
    servesAt: (host) => {
      isLocal = isLoopback(host);
    },
    fetchOf: (workspace) => async (url, init) => {
      const { createGuardedFetch } = await import('../system/guarded-fetch/guarded-fetch.js');
      const rules = async () => {
        const { allow } = (await runs.session(workspace)).workspace.server.outbound;
        return { isLocal, allow };
      };
      return createGuardedFetch({ rules })(url, init);
    },
  };
}
