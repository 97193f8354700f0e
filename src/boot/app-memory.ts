import type { MemoryApp } from '../app/memory/memory-app.js';
import type { Runs } from './parts.js';

/** Wires the use cases around memory. */
export async function openMemory(runs: Pick<Runs, 'session' | 'observe' | 'review'>): Promise<MemoryApp> {
  const [{ createMemoryApp }, { ids, maskOf }, { openMemory, clock }] = await Promise.all([
    import('../app/memory/create-memory-app.js'),
    runs.review(),
    runs.observe(),
  ]);
  return createMemoryApp({
    ids,
    clock,
    loadWorkspace: async (workspace) => (await runs.session(workspace)).workspace,
    openStores: async (workspace) => (await runs.session(workspace)).openStores(),
    openMemory,
    maskOf,
  });
}
