import { KitError } from '../domain/errors.js';
import type { JsonObject } from '../domain/json.js';
import type { SealedRow, SealedRowStore } from '../domain/ports/sealed-rows.js';
import type { Vault, VaultEntry, VaultKey, VaultRow } from '../domain/ports/vault.js';
import { seal, unseal, type VaultKeyBytes } from './vault-seal.js';

/** The keys of a vault. `open`: every key that opens rows; the first one seals. */
export interface VaultKeys {
  readonly open: readonly [VaultKeyBytes, ...VaultKeyBytes[]];
  /** Where they come from, for people. */
  readonly source: string;
}

export interface VaultParts {
  /** Opens the store when something is first kept, and makes it where there is none. */
  readonly rows: () => Promise<SealedRowStore>;
  /** To look for something; null = nothing was ever kept: looking makes no store. */
  readonly existing: () => Promise<SealedRowStore | null>;
  /**
   * Read anew where a row names a key that is not among them: another process may have rotated.
   * Throws KIT_VAULT_KEY.
   */
  readonly keys: (anew: boolean) => Promise<VaultKeys>;
  readonly holder: () => Promise<LeaseProcess>;
}

/** A process that holds leases. */
export interface LeaseProcess {
  /** Holds no `/`. */
  readonly name: string;
  /** Whether the process of that name certainly is no more; false for one of another machine. */
  isGone(name: string): boolean;
}

/** Tries of a write where rows change under it. */
const TRIES = 20;

const wrongKey = (row: SealedRow, keys: VaultKeys): KitError =>
  new KitError(
    'KIT_VAULT_KEY',
    `what is kept of ${row.name} for ${row.owner} was encrypted with the key ${row.keyId}; ${keys.source} holds ${keys.open.map(({ id }) => id).join(', ')}`,
    { data: { credential: row.name, owner: row.owner, key_id: row.keyId } },
  );

const damaged = (row: SealedRow): KitError =>
  new KitError('KIT_VAULT_DAMAGED', `what is kept of ${row.name} for ${row.owner} was changed in the store`, {
    data: { credential: row.name, owner: row.owner },
  });

async function opened(row: SealedRow, parts: VaultParts): Promise<VaultEntry> {
  let keys = await parts.keys(false);
  const find = () => keys.open.find(({ id }) => id === row.keyId);
  if (find() === undefined) keys = await parts.keys(true);
  const key = find();
  if (key === undefined) throw wrongKey(row, keys);
  const text = unseal(key, row);
  if (text === null) throw damaged(row);
  // Sealed by `put` from an object, and by nobody else.
  return { kind: row.kind, name: row.name, owner: row.owner, revision: row.revision, value: JSON.parse(text) };
}

/** The vault of one plugin: `space` is its name. */
export function createVault(parts: VaultParts, space: string): Vault {
  const rowKey = ({ kind, name, owner }: VaultKey) => ({ space, kind, name, owner });
  const before = async (rows: SealedRowStore, ageMs: number): Promise<string> =>
    new Date(Date.parse(await rows.now()) - ageMs).toISOString();
  return {
    get: async (key) => {
      const row = (await (await parts.existing())?.get(rowKey(key))) ?? null;
      return row === null ? null : opened(row, parts);
    },
    list: async (kind) => {
      const rows = (await (await parts.existing())?.list({ space, kind })) ?? [];
      return Promise.all(rows.map((row) => listed(row, parts)));
    },
    put: async (key, value, from) => put(parts, { key: rowKey(key), value, from }),
    take: async (key, maxAgeMs) => {
      const rows = await parts.existing();
      const row = (await rows?.take(rowKey(key))) ?? null;
      if (rows === null || row === null || row.writtenAt < (await before(rows, maxAgeMs))) return null;
      return opened(row, parts);
    },
    remove: async (key) => ((await (await parts.existing())?.take(rowKey(key))) ?? null) !== null,
    drop: async (kind, maxAgeMs) => {
      const rows = await parts.existing();
      await rows?.drop({ space, kind, before: await before(rows, maxAgeMs) });
    },
    lease: async (name, ttlMs) => {
      const [rows, here] = await Promise.all([parts.rows(), parts.holder()]);
      const [own, holder] = [JSON.stringify([space, name]), `${here.name}/${crypto.randomUUID()}`];
      let got = await rows.lease(own, holder, ttlMs);
      if (got === 'held' && (await endOfDead(rows, own, here))) {
        got = await rows.lease(own, holder, ttlMs);
        if (got === 'taken') got = 'left';
      }
      return got === 'held' ? null : { isAfterCrash: got === 'left', letGo: () => rows.letGo(own, holder) };
    },
  };
}

/**
 * Ends a lease whose process is dead, instead of waiting for its time: the rule of runs
 * (docs/design/journal.md#same-host). It names its holder, so nobody else's goes.
 */
async function endOfDead(rows: SealedRowStore, name: string, here: LeaseProcess): Promise<boolean> {
  const seen = await rows.leaseHolder(name);
  if (seen === null || !here.isGone(seen.split('/', 1)[0] ?? '')) return false;
  await rows.letGo(name, seen);
  return true;
}

/** What a list says of a row that cannot be opened. */
async function listed(row: SealedRow, parts: VaultParts): Promise<VaultRow> {
  try {
    return { ...(await opened(row, parts)), flaw: null };
  } catch (error) {
    if (!(error instanceof KitError)) throw error;
    const { kind, name, owner, revision } = row;
    return { kind, name, owner, revision, value: null, flaw: error.message };
  }
}

interface Put {
  readonly key: Pick<SealedRow, 'space' | 'kind' | 'name' | 'owner'>;
  readonly value: JsonObject;
  readonly from: number | null;
}

async function put(parts: VaultParts, { key, value, from }: Put): Promise<number | null> {
  const [rows, keys] = [await parts.rows(), await parts.keys(false)];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const revision = (from ?? (await rows.get(key))?.revision ?? 0) + 1;
    const row = seal(keys.open[0], { ...key, revision, writtenAt: await rows.now() }, JSON.stringify(value));
    if (await rows.put(row)) return revision;
    if (from !== null) return null;
  }
  throw new KitError('KIT_STORE_BUSY', `what is kept of ${key.name} for ${key.owner} changes all the time`);
}

/**
 * Seals every row of every plugin with the first key. A row that changes meanwhile is sealed by
 * whoever changed it, or by the next try. Answers how many were sealed anew. Throws KIT_VAULT_KEY,
 * KIT_VAULT_DAMAGED for a row that no key opens; those before it are done.
 */
export async function resealAll(parts: VaultParts): Promise<number> {
  const rows = await parts.existing();
  if (rows === null) return 0;
  const keys = await parts.keys(true);
  const [first] = keys.open;
  let sealed = 0;
  for (const seen of await rows.list(null)) {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const row = tries === 0 ? seen : await rows.get(seen);
      if (row === null || row.keyId === first.id) break;
      const { value } = await opened(row, parts);
      const next = seal(first, { ...row, revision: row.revision + 1 }, JSON.stringify(value));
      if (!(await rows.put(next))) continue;
      sealed += 1;
      break;
    }
  }
  return sealed;
}
