import type { RemoteWaitStore } from '../domain/ports/remote-waits.js';

/**
 * Waits for agents that run elsewhere, their code loaded when one is first asked for: few processes
 * have any.
 */
export function lazyRemoteWaits(load: () => Promise<RemoteWaitStore>): RemoteWaitStore {
  let loading: Promise<RemoteWaitStore> | undefined;
  const store = (): Promise<RemoteWaitStore> => (loading ??= load());
  return {
    due: async (limit) => (await store()).due(limit),
    gated: async (limit) => (await store()).gated(limit),
    hold: async (waits, leaseMs) => (await store()).hold(waits, leaseMs),
    settle: async (wait, of) => (await store()).settle(wait, of),
  };
}
