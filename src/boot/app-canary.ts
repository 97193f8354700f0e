import type { CanaryApp } from '../app/canary/canary-app.js';
import type { Runs } from './app-runs.js';

/** Wires the use cases around canary routes; every part is imported when it is first used. */
export function createCanary(runs: Pick<Runs, 'session' | 'observe'>): CanaryApp {
  let built: Promise<CanaryApp> | undefined;
  const app = (): Promise<CanaryApp> => (built ??= build(runs));
  return {
    list: async (ask) => (await app()).list(ask),
    promote: async (change) => (await app()).promote(change),
    rollback: async (change) => (await app()).rollback(change),
  };
}

async function build(runs: Pick<Runs, 'session' | 'observe'>): Promise<CanaryApp> {
  const [{ createCanaryApp }, { clock }] = await Promise.all([import('../app/canary/create-canary-app.js'), runs.observe()]);
  return createCanaryApp({
    clock,
    loadWorkspace: async (workspace) => (await runs.session(workspace)).workspace,
    openStores: async (workspace) => (await runs.session(workspace)).openStores(),
  });
}
