import type { MemoryStore } from '../domain/ports/memory.js';

/** Memory, its code loaded when it is first asked for: every module costs time at each start. */
export function lazyMemory(load: () => Promise<MemoryStore>): MemoryStore {
  let loading: Promise<MemoryStore> | undefined;
  const store = (): Promise<MemoryStore> => (loading ??= load());
  return {
    find: async (reader, ask) => (await store()).find(reader, ask),
    list: async (reader, ask) => (await store()).list(reader, ask),
    item: async (reader, key) => (await store()).item(reader, key),
    write: async (write) => (await store()).write(write),
    quarantine: async (reader, ask) => (await store()).quarantine(reader, ask),
    resolve: async (reader, decision) => (await store()).resolve(reader, decision),
  };
}
