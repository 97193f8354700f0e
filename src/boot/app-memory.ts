import type { MemoryApp } from '../app/memory/memory-app.js';
import type { Runs } from './app-runs.js';

/** Wires the use cases around memory. */
export async function openMemory(runs: Pick<Runs, 'session' | 'observe' | 'serve'>): Promise<MemoryApp> {
  const [{ createMemoryApp }, { ids }, { openStores, clock }] = await Promise.all([
    import('../app/memory/create-memory-app.js'),
    runs.serve(),
    runs.observe(),
  ]);
  return createMemoryApp({
    ids,
    clock,
    loadWorkspace: async (workspace) => (await runs.session(workspace)).workspace,
    openStores: async (workspace) => (await runs.session(workspace)).openStores(),
    openExisting: openStores,
  });
}
