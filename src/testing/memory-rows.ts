import type { SealedKey, SealedRow, SealedRowStore } from '../domain/ports/sealed-rows.js';
import type { Clock } from '../domain/ports/system.js';
import { createVault } from '../host/vault.js';
import { vaultKeyOf } from '../host/vault-seal.js';

const keyOf = ({ space, kind, name, owner }: SealedKey): string => JSON.stringify([space, kind, name, owner]);

/** Sealed rows that end with the process. */
export function memoryRows({ now }: Pick<Clock, 'now'>): SealedRowStore {
  const rows = new Map<string, SealedRow>();
  const leases = new Map<string, { readonly holder: string; readonly untilMs: number }>();
  return {
    isThere: () => true,
    id: async () => 'memory',
    now: async () => new Date(now()).toISOString(),
    get: async (key) => rows.get(keyOf(key)) ?? null,
    list: async (of) =>
      [...rows.values()].filter((row) => of === null || (row.space === of.space && row.kind === of.kind)),
    put: async (row) => {
      if ((rows.get(keyOf(row))?.revision ?? 0) + 1 !== row.revision) return false;
      rows.set(keyOf(row), row);
      return true;
    },
    take: async (key) => {
      const found = rows.get(keyOf(key)) ?? null;
      rows.delete(keyOf(key));
      return found;
    },
    drop: async ({ space, kind, before }) => {
      for (const [key, row] of rows)
        if (row.space === space && row.kind === kind && row.writtenAt < before) rows.delete(key);
    },
    lease: async (name, holder, ttlMs) => {
      const seen = leases.get(name);
      if (seen !== undefined && seen.holder !== holder && seen.untilMs > now()) return 'held';
      leases.set(name, { holder, untilMs: now() + ttlMs });
      return seen === undefined || seen.holder === holder ? 'taken' : 'left';
    },
    leaseHolder: async (name) => leases.get(name)?.holder ?? null,
    letGo: async (name, holder) => {
      if (leases.get(name)?.holder === holder) leases.delete(name);
    },
  };
}

/** A vault in memory, for plugins under test: sealed as the real one is. */
export function memoryVaults(clock: Pick<Clock, 'now'>) {
  const rows = memoryRows(clock);
  const key = vaultKeyOf(new Uint8Array(32).fill(7));
  const parts = {
    rows: async () => rows,
    existing: async () => rows,
    keys: async () => ({ open: [key] as const, source: 'the test' }),
    holder: async () => ({ name: 'test', isGone: () => false }),
  };
  return (plugin: string) => createVault(parts, plugin);
}
