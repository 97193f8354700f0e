import type { CanaryApp } from '../app/canary/canary-app.js';
import type { Runs } from './parts.js';

/** Wires the use cases around canary routes. */
export async function openCanary(runs: Pick<Runs, 'session' | 'observe'>): Promise<CanaryApp> {
  const [{ createCanaryApp }, { clock }] = await Promise.all([
    import('../app/canary/create-canary-app.js'),
    runs.observe(),
  ]);
  return createCanaryApp({
    clock,
    loadWorkspace: async (workspace) => (await runs.session(workspace)).workspace,
    openStores: async (workspace) => (await runs.session(workspace)).openStores(),
  });
}
