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
