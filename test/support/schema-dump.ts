import type { TestDatabase } from './components/postgres.js';

/**
 * Every row of every table of a schema with its row version, and the definition of everything in
 * it, one text each.
 */
export async function dumpSchema(database: TestDatabase, schema: string): Promise<readonly string[]> {
  const tables = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = '${schema}' ORDER BY 1`,
  );
  const dumped: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query<{ row: string }>(
      `SELECT t.xmin::text || ' ' || t.ctid::text || ' ' || to_jsonb(t)::text AS row FROM ${schema}.${name} t ORDER BY t.ctid`,
    );
    dumped.push(`table ${name}`, ...rows.map(({ row }) => row));
  }
  const objects = await database.query<{ text: string }>(
    `SELECT relkind::text || ' ' || relname || ' ' || coalesce(pg_sequence_last_value(CASE relkind WHEN 'S' THEN oid END)::text, '') AS text FROM pg_class WHERE relnamespace = '${schema}'::regnamespace ORDER BY 1`,
  );
  return [...dumped, ...objects.map(({ text }) => text)];
}
