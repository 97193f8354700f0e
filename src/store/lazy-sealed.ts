import type { SealedRowStore } from '../domain/ports/sealed-rows.js';

/** Rows that are closed with their store. */
export interface ClosingRows extends SealedRowStore {
  close(): Promise<void>;
}

/**
 * Sealed rows, their file opened when they are first asked for: few runs have a login. It is made
 * by who writes: `isThere` says whether anybody did, and where nobody did there is nothing to find.
 */
export function lazySealed(load: () => Promise<ClosingRows>, isThere: () => boolean): ClosingRows {
  let loading: Promise<ClosingRows> | undefined;
  const rows = (): Promise<ClosingRows> => (loading ??= load());
  const existing = async (): Promise<ClosingRows | null> => (loading !== undefined || isThere() ? rows() : null);
  return {
    isThere: () => loading !== undefined || isThere(),
    id: async () => (await rows()).id(),
    now: async () => (await rows()).now(),
    get: async (key) => (await (await existing())?.get(key)) ?? null,
    list: async (of) => (await (await existing())?.list(of)) ?? [],
    put: async (row) => (await rows()).put(row),
    take: async (key) => (await (await existing())?.take(key)) ?? null,
    drop: async (of) => (await existing())?.drop(of),
    lease: async (name, holder, ttlMs) => (await rows()).lease(name, holder, ttlMs),
    leaseHolder: async (name) => (await (await existing())?.leaseHolder(name)) ?? null,
    letGo: async (name, holder) => (await existing())?.letGo(name, holder),
    // One that could not be opened was refused where it was asked for.
    close: async () => (await loading?.catch(() => null))?.close(),
  };
}
