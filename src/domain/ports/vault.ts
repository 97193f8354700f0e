import type { JsonObject } from '../json.js';

/** Names what a plugin keeps: what it is, of which credential, and of whom. */
export interface VaultKey {
  readonly kind: string;
  readonly name: string;
  readonly owner: string;
}

/** What a plugin keeps, opened. */
export interface VaultEntry extends VaultKey {
  readonly value: JsonObject;
  /** From 1; each write counts one up. */
  readonly revision: number;
}

/** A row of a list; one that cannot be opened hides nothing of the others. */
export type VaultRow =
  | (VaultEntry & { readonly flaw: null })
  | (VaultKey & { readonly value: null; readonly revision: number; readonly flaw: string });

/** The right to do something alone among all processes, for a time. */
export interface VaultLease {
  /** The holder before died: whatever it had begun, nobody knows how it ended. */
  readonly isAfterCrash: boolean;
  letGo(): Promise<void>;
}

/**
 * What a plugin keeps encrypted (AES-256-GCM), in rows that no other plugin sees: tokens, logins
 * under way. All processes of a workspace share it. Each call throws KIT_VAULT_KEY where the key is
 * malformed, missing, or another one than the row was sealed with, KIT_VAULT_DAMAGED for a row that
 * somebody changed, and what the store throws.
 */
export interface Vault {
  get(key: VaultKey): Promise<VaultEntry | null>;
  /** By name and owner. */
  list(kind: string): Promise<readonly VaultRow[]>;
  /**
   * Writes in the place of the entry with revision `from` (0 = there is none; null = whatever is
   * there). Answers its new revision; null = somebody was faster.
   */
  put(key: VaultKey, value: JsonObject, from: number | null): Promise<number | null>;
  /** Reads and removes in one; null for what is not there, or older than this. */
  take(key: VaultKey, maxAgeMs: number): Promise<VaultEntry | null>;
  /** False: there was none. Needs no key. */
  remove(key: VaultKey): Promise<boolean>;
  /** Removes what is older. Needs no key. */
  drop(kind: string, maxAgeMs: number): Promise<void>;
  /** Null: another process has it. */
  lease(name: string, ttlMs: number): Promise<VaultLease | null>;
}
