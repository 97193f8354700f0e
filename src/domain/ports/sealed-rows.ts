/** Names a sealed row: whose plugin keeps it, what it is, of which credential, and of whom. */
export interface SealedKey {
  /** Name of the plugin: no other one sees the row. */
  readonly space: string;
  readonly kind: string;
  readonly name: string;
  readonly owner: string;
}

/** A row that the store cannot read: the key is elsewhere. */
export interface SealedRow extends SealedKey {
  readonly keyId: string;
  /** From 1; each write counts one up. */
  readonly revision: number;
  /** ISO 8601 by the store's clock (`now`), as whoever sealed it wrote it down. */
  readonly writtenAt: string;
  /** Base64. */
  readonly sealed: string;
}

/** `left`: the holder before let its time run out, so that it died. */
export type RowLease = 'taken' | 'left' | 'held';

/**
 * Rows that are sealed before they come here: tokens and logins under way. In SQLite they lie in a
 * file of their own, `state/oauth.db`; in PostgreSQL with the runs, for all processes of it.
 */
export interface SealedRowStore {
  /** False: nothing was ever written, and nothing is made by who looks. */
  isThere(): boolean;
  /** Stays what it is as long as the store does: names the file of its key. */
  id(): Promise<string>;
  /** ISO 8601 by the store's clock. */
  now(): Promise<string>;
  get(key: SealedKey): Promise<SealedRow | null>;
  /** Of all kinds and spaces where null; at most 10,000, by name and owner. */
  list(of: { readonly space: string; readonly kind: string } | null): Promise<readonly SealedRow[]>;
  /**
   * Writes the row in the place of the one with the revision before; the first one is revision 1.
   * False: somebody was faster.
   */
  put(row: SealedRow): Promise<boolean>;
  /** Reads and removes in one: of two callers one gets it. */
  take(key: SealedKey): Promise<SealedRow | null>;
  /** Removes what was written before then. */
  drop(of: { readonly space: string; readonly kind: string; readonly before: string }): Promise<void>;
  /** Takes or renews a lease for `ttlMs` by the store's clock. */
  lease(name: string, holder: string, ttlMs: number): Promise<RowLease>;
  /** Who has it, or had it until its time ran out; null = nobody. */
  leaseHolder(name: string): Promise<string | null>;
  /** Ends it in good order; somebody else's is left alone. */
  letGo(name: string, holder: string): Promise<void>;
}
