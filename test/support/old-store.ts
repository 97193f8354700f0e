import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { MIGRATIONS, SCHEMA_VERSION } from '../../src/store/migrations.js';
import { addFunctions } from '../../src/store/sqlite/functions.js';
import { SQLITE_MIGRATIONS } from '../../src/store/sqlite/migrations/index.js';
import { CREATE_META, SET_META } from '../../src/store/sqlite/sql/meta.js';

/** The file as the build before migration `until` left it, without a run, and open. */
export function openOldStore(path: string, until: number): Database.Database {
  const db = new Database(path);
  addFunctions(db, 'write');
  db.pragma('journal_mode = WAL');
  db.exec(CREATE_META);
  for (const { number } of MIGRATIONS) if (number < until) db.exec(SQLITE_MIGRATIONS[number]);
  for (const [key, value] of [
    ['schema_version', String(until - 1)],
    ['log_id', 'log'],
    ['cursor_key', '00'],
  ]) {
    db.prepare(SET_META).run({ key, value });
  }
  return db;
}

/** A SQLite store without a run, as the build before the newest migration left it, and so large. */
export function writeOldStore(path: string, bytes: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = openOldStore(path, SCHEMA_VERSION);
  db.exec(`CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(${bytes}))`);
  db.close();
}
