import type { SealedRowStore } from '../domain/ports/sealed-rows.js';

/** Rows that are closed with their store. */
export interface ClosingRows extends SealedRowStore {
  close(): Promise<void>;
}

/** Sealed rows, their file opened when they are first asked for: few runs have a login. */
export function lazySealed(load: () => Promise<ClosingRows>): ClosingRows {
  let loading: Promise<ClosingRows> | undefined;
  const rows = (): Promise<ClosingRows> => (loading ??= load());
  return {
    id: async () => (await rows()).id(),
    now: async () => (await rows()).now(),
    get: async (key) => (await rows()).get(key),
    list: async (of) => (await rows()).list(of),
    put: async (row) => (await rows()).put(row),
    take: async (key) => (await rows()).take(key),
    drop: async (of) => (await rows()).drop(of),
    lease: async (name, holder, ttlMs) => (await rows()).lease(name, holder, ttlMs),
    letGo: async (name, holder) => (await rows()).letGo(name, holder),
    // One that could not be opened was refused where it was asked for.
    close: async () => (await loading?.catch(() => null))?.close(),
  };
}
