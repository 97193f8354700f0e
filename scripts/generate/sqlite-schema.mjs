// The migrations of SQLite -> the schema that all of them leave, for stores that begin empty.
import Database from 'better-sqlite3';
import { rolldown } from 'rolldown';
import { root } from './schemas.mjs';

const MIGRATIONS = new URL('src/store/sqlite/migrations/index.ts', root).pathname;
/** Rows of the schema in the order in which they were made: each stands after what it needs. */
const DUMP =
  "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name <> 'store_meta' ORDER BY rowid";

async function readMigrations() {
  const bundle = await rolldown({
    input: MIGRATIONS,
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts'] } },
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  const { SQLITE_MIGRATIONS } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
  return Object.values(SQLITE_MIGRATIONS);
}

/** The text of schema.ts: statements alone, for the migrations leave no row behind. */
export async function sqliteSchema() {
  const db = new Database(':memory:');
  for (const migration of await readMigrations()) db.exec(migration);
  const statements = db.prepare(DUMP).pluck().all();
  db.close();
  return `/** What all migrations leave of an empty store, without \`store_meta\`. */\nexport const SCHEMA = ${JSON.stringify(statements.join(';\n'))};\n`;
}
