import type { TestDatabase } from './components/postgres.js';
import { type StoreDump, type StoreTables, TABLES } from './store-dump.js';

/**
 * What is durable, seen by a connection that knows nothing of the store's code; null before the
 * first migration.
 */
export async function dumpPostgres(database: TestDatabase): Promise<StoreDump['tables']> {
  const found = await database.query("SELECT 1 FROM pg_tables WHERE schemaname = 'kit' AND tablename = 'jobs'");
  if (found.length === 0) return null;
  const rows = async (table: string): Promise<readonly string[]> =>
    (await database.query(`SELECT * FROM kit.${table} ORDER BY 1, 2`)).map((row) => JSON.stringify(row));
  const dumped: [string, readonly string[]][] = [];
  for (const table of TABLES) dumped.push([table, await rows(table)]);
  // One entry for each name of the list.
  return Object.fromEntries(dumped) as unknown as StoreTables;
}
