import type { TestDatabase } from './components/postgres.js';
import type { StoreDump } from './store-dump.js';

/** What is durable, seen by a connection that knows nothing of the store's code; null before the first migration. */
export async function dumpPostgres(database: TestDatabase): Promise<StoreDump['tables']> {
  const found = await database.query("SELECT 1 FROM pg_tables WHERE schemaname = 'kit' AND tablename = 'jobs'");
  if (found.length === 0) return null;
  const rows = async (table: string): Promise<readonly string[]> =>
    (await database.query(`SELECT * FROM kit.${table} ORDER BY 1`)).map((row) => JSON.stringify(row));
  return { jobs: await rows('jobs'), steps: await rows('steps'), events: await rows('events'), artifacts: await rows('artifacts') };
}
