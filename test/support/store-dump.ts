import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

const TABLES = ['jobs', 'steps', 'events', 'artifacts'] as const;

export interface StoreDump {
  /** Rows of each table as JSON text, in order; null before the first migration. */
  readonly tables: Readonly<Record<(typeof TABLES)[number], readonly string[]>> | null;
  readonly blobs: readonly string[];
}

/** What is durable, seen by a connection that knows nothing of the store's code. */
export function dumpStore(stateDir: string): StoreDump {
  const path = join(stateDir, 'store.sqlite');
  const directory = join(stateDir, 'blobs');
  const files = existsSync(directory) ? readdirSync(directory, { recursive: true, withFileTypes: true }) : [];
  const blobs = files.filter((file) => file.isFile() && !file.name.endsWith('.tmp')).map((file) => file.name);
  return { tables: existsSync(path) ? dumpTables(path) : null, blobs: blobs.sort() };
}

function dumpTables(path: string): StoreDump['tables'] {
  const db = new Database(path, { timeout: 2000 });
  try {
    if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'jobs'").get() === undefined) return null;
    const rows = (table: string): string[] =>
      db
        .prepare(`SELECT * FROM ${table} ORDER BY 1`)
        .all()
        .map((row) => JSON.stringify(row));
    return { jobs: rows('jobs'), steps: rows('steps'), events: rows('events'), artifacts: rows('artifacts') };
  } finally {
    db.close();
  }
}
