/**
 * Migrations by number, the same in every dialect, forward only. A landed migration never changes;
 * the next one gets the next number and a text per dialect.
 */
export const MIGRATIONS = [
  { number: 1, name: 'initial' },
  { number: 2, name: 'retention' },
  { number: 3, name: 'gates' },
  { number: 4, name: 'lean-log' },
  { number: 5, name: 'artifacts' },
  { number: 6, name: 'serving' },
  { number: 7, name: 'machines' },
  { number: 8, name: 'agents' },
  { number: 9, name: 'calls' },
  { number: 10, name: 'people' },
  { number: 11, name: 'figures' },
  { number: 12, name: 'callers' },
  { number: 13, name: 'limiters' },
  { number: 14, name: 'names' },
  { number: 15, name: 'sealed' },
  { number: 16, name: 'lean-ids' },
  { number: 17, name: 'room-in-rows' },
  { number: 18, name: 'usage' },
  { number: 19, name: 'types-apart' },
  { number: 20, name: 'thin-rows' },
] as const;

export type MigrationNumber = (typeof MIGRATIONS)[number]['number'];

/** The schema version this build writes; a store with a higher one is refused (KIT_STORE_NEWER). */
export const SCHEMA_VERSION: number = Math.max(...MIGRATIONS.map((migration) => migration.number));

/** A store of before, whose schema is about to be made that of this build. */
export interface StoreUpgrade {
  readonly place: string;
  readonly bytes: number;
  /** How long it takes, roughly; null = nobody knows. */
  readonly estimateMs: number | null;
}

/** Called before anything is written, for a store that takes longer than about a second. */
export type ShowUpgrade = (upgrade: StoreUpgrade) => Promise<UpgradeShown>;

export interface UpgradeShown {
  /** So many of its steps are done. Shown at once: the process may do nothing else meanwhile. */
  at(done: number, of: number): void;
  /** It is done, or has failed. */
  end(outcome: 'done' | 'failed'): void;
}

/** 600 MB took 11.6 s on SQLite; below this nobody waits for a second. */
const BYTES_PER_SECOND = 50_000_000;

export const estimateMs = (bytes: number): number => Math.ceil(bytes / BYTES_PER_SECOND) * 1_000;

/** Runs the upgrade of a store, and shows it where it takes long and somebody watches. */
export async function withUpgradeShown(
  upgrade: StoreUpgrade,
  show: ShowUpgrade | undefined,
  run: (at: UpgradeShown['at']) => Promise<void>,
): Promise<void> {
  if (show === undefined || upgrade.bytes < BYTES_PER_SECOND) return run(() => undefined);
  const shown = await show(upgrade);
  let outcome: 'done' | 'failed' = 'failed';
  try {
    await run(shown.at);
    outcome = 'done';
  } finally {
    shown.end(outcome);
  }
}
