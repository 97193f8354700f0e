import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SealedRow, SealedRowStore } from '../../src/domain/ports/sealed-rows.js';
import { createVault, resealAll, type VaultKeys } from '../../src/host/vault.js';
import { seal, unseal, vaultKeyOf } from '../../src/host/vault-seal.js';
import { memoryRows } from '../../src/testing/memory-rows.js';

const [KEY, OTHER] = [vaultKeyOf(randomBytes(32)), vaultKeyOf(randomBytes(32))];
const ROW = {
  space: 'oauth',
  kind: 'token',
  name: 'notes',
  owner: 'ada',
  revision: 3,
  writtenAt: '2026-01-02T03:04:05.000Z',
};

/** One row in memory; nothing else of a store is asked for here. */
function rowsOf(row: SealedRow): SealedRowStore & { row: SealedRow } {
  const store = { row };
  return Object.assign(store, {
    isThere: () => true,
    id: async () => 'one',
    now: async () => ROW.writtenAt,
    get: async () => store.row,
    list: async () => [store.row],
    put: async (next: SealedRow) => {
      if (next.revision !== store.row.revision + 1) return false;
      store.row = next;
      return true;
    },
    take: async () => store.row,
    drop: async () => {},
    lease: async () => 'taken' as const,
    leaseHolder: async () => null,
    letGo: async () => {},
  });
}

const partsOf = (rows: SealedRowStore, keys: () => Promise<VaultKeys>) => ({
  rows: async () => rows,
  existing: async () => rows,
  keys,
  holder: async () => ({ name: 'test', isGone: () => false }),
});

const open = (rows: SealedRowStore, keys: VaultKeys) =>
  createVault(
    partsOf(rows, async () => keys),
    'oauth',
  );

describe('a row of the vault', () => {
  it('is refused whichever byte of it was changed', () => {
    const row = seal(KEY, ROW, '{"accessToken":"a-planted-token"}');
    expect(unseal(KEY, row)).toBe('{"accessToken":"a-planted-token"}');
    expect(JSON.stringify(row)).not.toContain('planted');

    let changed = 0;
    for (const [name, value] of Object.entries(row)) {
      if (name === 'revision') continue;
      const text = String(value);
      for (let at = 0; at < text.length; at += 1)
        for (const bit of [1, 2, 4, 8, 16, 32, 64]) {
          const flipped = String.fromCharCode(text.charCodeAt(at) ^ bit);
          changed += 1;
          expect(unseal(KEY, { ...row, [name]: text.slice(0, at) + flipped + text.slice(at + 1) })).toBeNull();
        }
    }
    expect(unseal(KEY, { ...row, revision: 4 })).toBeNull();
    expect(unseal(KEY, { ...row, sealed: '' })).toBeNull();
    expect(changed).toBeGreaterThan(500);
  });

  it('that another key sealed is a clear error, which names keys by their ids', async () => {
    const vault = open(rowsOf(seal(OTHER, ROW, '{}')), { open: [KEY], source: 'KIT_OAUTH_KEY' });

    await expect(vault.get(ROW)).rejects.toMatchObject({
      code: 'KIT_VAULT_KEY',
      message: expect.stringContaining(OTHER.id),
    });
    expect(await vault.list('token')).toMatchObject([{ name: 'notes', value: null, flaw: expect.any(String) }]);
    expect(await vault.remove(ROW)).toBe(true);
  });

  it('that was changed is never used', async () => {
    const row = seal(KEY, ROW, '{}');
    const vault = open(rowsOf({ ...row, owner: 'bob' }), { open: [KEY], source: 'a file' });

    await expect(vault.get(ROW)).rejects.toMatchObject({ code: 'KIT_VAULT_DAMAGED' });
  });
});

it('two keys open rows during a rotation, the first one seals, and both processes go on', async () => {
  const rows = rowsOf(seal(OTHER, ROW, '{"n":1}'));
  const [before, after] = [
    open(rows, { open: [OTHER, KEY], source: 'KIT_OAUTH_KEY' }),
    open(rows, { open: [KEY, OTHER], source: 'KIT_OAUTH_KEY' }),
  ];

  expect(await after.get(ROW)).toMatchObject({ value: { n: 1 } });
  const keys = async (): Promise<VaultKeys> => ({ open: [KEY, OTHER], source: 'KIT_OAUTH_KEY' });
  expect(await resealAll(partsOf(rows, keys))).toBe(1);

  expect(rows.row.keyId).toBe(KEY.id);
  expect(await before.get(ROW)).toMatchObject({ value: { n: 1 }, revision: 4 });
  expect(await resealAll(partsOf(rows, keys))).toBe(0);
});

describe('a lease', () => {
  const [ALIVE, DEAD] = ['alive', 'dead'];
  const holding = async (isGone: (name: string) => boolean) => {
    const rows = memoryRows({ now: () => 0 });
    const keys = async (): Promise<VaultKeys> => ({ open: [KEY], source: 'the test' });
    const vaultOf = (name: string) =>
      createVault({ ...partsOf(rows, keys), holder: async () => ({ name, isGone }) }, 'oauth');
    await vaultOf(DEAD).lease('refresh', 30_000);
    return vaultOf(ALIVE).lease('refresh', 30_000);
  };

  it('of a process that certainly is no more goes to who asks next, who is told of it', async () => {
    expect(await holding((name) => name === DEAD)).toMatchObject({ isAfterCrash: true });
  });

  it('of a process of which nothing is known holds for its time', async () => {
    expect(await holding(() => false)).toBeNull();
  });
});
