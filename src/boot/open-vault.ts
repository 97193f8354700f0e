import { KitError } from '../domain/errors.js';
import type { Stores } from '../domain/ports/stores.js';
import type { Log } from '../domain/ports/system.js';
import type { Vault } from '../domain/ports/vault.js';
import type { LeaseProcess, VaultKeys, VaultParts } from '../host/vault.js';

/** Of what the vault of a workspace is made. */
export interface VaultPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly openStores: () => Promise<Pick<Stores, 'sealed' | 'backend'>>;
  /** Null where nothing was ever run. */
  readonly openExisting: () => Promise<Pick<Stores, 'sealed'> | null>;
}

/** What all vaults of a workspace share; nothing is opened before something is looked for. */
export function vaultParts({ env, log, openStores, openExisting }: VaultPlace): VaultParts {
  let keys: Promise<VaultKeys> | undefined;
  let holder: Promise<LeaseProcess> | undefined;
  const read = async (): Promise<VaultKeys> => {
    const [{ readVaultKeys }, stores] = await Promise.all([import('./vault-keys.js'), openStores()]);
    return readVaultKeys({ env, storeId: await stores.sealed.id(), backend: stores.backend, log });
  };
  return {
    rows: async () => (await openStores()).sealed,
    existing: async () => (await openExisting())?.sealed ?? null,
    keys: (anew) => {
      if (anew || keys === undefined) {
        keys = read();
        // A refusal is not an answer for later: the key may be set meanwhile.
        keys.catch(() => {
          keys = undefined;
        });
      }
      return keys;
    },
    holder: () => (holder ??= thisProcess()),
  };
}

/** A dead holder of a lease is told as a dead owner of containers is. */
async function thisProcess(): Promise<LeaseProcess> {
  const { containerOwner, readWorkerHost } = await import('../system/worker-host.js');
  const { label: name, isGone } = containerOwner(readWorkerHost());
  return { name, isGone };
}

/** The vault of a plugin of that name, its code loaded with the first use. */
export function lazyVault(parts: () => VaultParts, space: string): Vault {
  let opening: Promise<Vault> | undefined;
  const open = (): Promise<Vault> =>
    (opening ??= import('../host/vault.js').then(({ createVault }) => createVault(parts(), space)));
  return {
    get: async (key) => (await open()).get(key),
    list: async (kind) => (await open()).list(kind),
    put: async (key, value, from) => (await open()).put(key, value, from),
    take: async (key, maxAgeMs) => (await open()).take(key, maxAgeMs),
    remove: async (key) => (await open()).remove(key),
    drop: async (kind, maxAgeMs) => (await open()).drop(kind, maxAgeMs),
    lease: async (name, ttlMs) => (await open()).lease(name, ttlMs),
  };
}

/** Where no workspace is open nothing is kept. */
export const noVault = (): never => {
  throw new KitError('KIT_CREDENTIAL_UNRESOLVED', 'no workspace is open in which logins are kept');
};
