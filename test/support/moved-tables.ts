import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { TestDatabase } from './components/postgres.js';

/** Rows and digest of every table, by its name; of the blobs, by their names. */
export type Digests = Readonly<Record<string, string>>;

/** Says nothing on another database, or is a copy of what another table says. */
const LEFT = new Set([
  'store_meta',
  'leads',
  'fleet_members',
  'limiters',
  'sealed_rows',
  'sealed_leases',
  'blobs',
  'event_types',
]);

const digestOf = (rows: readonly string[]): string =>
  `${rows.length} ${createHash('sha256')
    .update([...rows].sort().join('\n'))
    .digest('hex')}`;
/** Members in one order, and the text of the server as it was before it was encoded for it. */
const textOf = (row: object): string =>
  JSON.stringify(
    Object.entries(row)
      .filter(([name]) => name !== 'run')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** What is read as a table: two of them are views, whose rows lie under other names. */
export const TABLES_OF_SQLITE =
  "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' AND name NOT IN ('event_rows', 'step_rows')";

/** What a SQLite store holds, seen by a connection that knows nothing of the store's code. */
export function digestsOfSqlite(stateDir: string): Digests {
  const db = new Database(join(stateDir, 'store.sqlite'), { readonly: true });
  try {
    const tables = db.prepare(TABLES_OF_SQLITE).pluck().all() as string[];
    const entries = tables
      .filter((table) => !LEFT.has(table))
      .map((table) => {
        const columns = (db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[]).filter(
          (name) => !(name === 'run' && ['events', 'steps'].includes(table)),
        );
        const rows = db
          .prepare(`SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM ${table}`)
          .all() as object[];
        return [table, digestOf(rows.map(textOf))] as const;
      });
    const blobs = readdirSync(join(stateDir, 'blobs'), { recursive: true, withFileTypes: true }).filter(
      (file) => file.isFile() && !file.name.endsWith('.tmp'),
    );
    return Object.fromEntries([...entries, ['blobs', digestOf(blobs.map(({ name }) => name))]]);
  } finally {
    db.close();
  }
}

/** The same of PostgreSQL. NUL and the mark of its encoding are read back as they were written. */
export async function digestsOfPostgres(database: TestDatabase): Promise<Digests> {
  const tables = (
    await database.query<{ tablename: string }>("SELECT tablename FROM pg_tables WHERE schemaname = 'kit'")
  ).map(({ tablename }) => tablename);
  const entries: [string, string][] = [];
  for (const table of tables.filter((name) => !LEFT.has(name))) {
    const rows = await database.query(`SELECT * FROM kit.${table}`);
    entries.push([
      table,
      digestOf(
        rows.map((row) =>
          textOf(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, decoded(value)]))),
        ),
      ),
    ]);
  }
  const blobs = await database.query<{ sha256: string }>(
    "SELECT encode(sha256(bytes), 'hex') AS sha256 FROM kit.blobs",
  );
  return Object.fromEntries([...entries, ['blobs', digestOf(blobs.map(({ sha256 }) => sha256))]]);
}

const decoded = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\u00100', '\u0000').replaceAll('\u0010m', '\u0010') : value;
