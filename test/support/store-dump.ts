import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Tables of what is durable about runs. */
export const TABLES = [
  'jobs',
  'steps',
  'events',
  'gates',
  'review_items',
  'decisions',
  'timers',
  'artifacts',
  'pruned_runs',
] as const;

/** Tables of what servers keep beside the runs. */
const SERVING_TABLES = [
  'once_keys',
  'serve_access',
  'trigger_occurrences',
  'leads',
  'limiters',
  'canary_counters',
  'canary_results',
  'canary_promotions',
  'conversations',
  'conversation_turns',
  'fleet_members',
  'pruned_access',
  'memories',
  'memory_words',
  'memory_changes',
  'memory_quarantine',
  'knowledge_documents',
  'knowledge_passages',
  'knowledge_words',
  'knowledge_indexes',
  'knowledge_files',
  'prompts',
] as const;

export type StoreTables = Readonly<Record<(typeof TABLES)[number], readonly string[]>>;

export interface StoreDump {
  /** Rows of each table as JSON text, in order; null before the first migration. */
  readonly tables: StoreTables | null;
  /** Rows of what servers keep, in the same way. */
  readonly serving: Readonly<Record<string, readonly string[]>> | null;
  readonly blobs: readonly string[];
  /** Rows of `state/oauth.db`; null before there is one. */
  readonly sealed: Readonly<Record<string, readonly string[]>> | null;
}

/** What is durable, seen by a connection that knows nothing of the store's code. */
export function dumpStore(stateDir: string): StoreDump {
  const path = join(stateDir, 'store.sqlite');
  const directory = join(stateDir, 'blobs');
  const files = existsSync(directory) ? readdirSync(directory, { recursive: true, withFileTypes: true }) : [];
  const blobs = files.filter((file) => file.isFile() && !file.name.endsWith('.tmp')).map((file) => file.name);
  const dumped = existsSync(path) ? dumpTables(path) : null;
  const sealed = dumpSealed(join(stateDir, 'state', 'oauth.db'));
  return { tables: dumped?.tables ?? null, serving: dumped?.serving ?? null, blobs: blobs.sort(), sealed };
}

function dumpSealed(path: string): StoreDump['sealed'] {
  if (!existsSync(path)) return null;
  const db = new Database(path, { timeout: 2000 });
  try {
    if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sealed_rows'").get() === undefined) return null;
    const rows = (table: string) =>
      db
        .prepare(`SELECT * FROM ${table} ORDER BY 1, 2`)
        .all()
        .map((row) => JSON.stringify(row));
    return Object.fromEntries(['sealed_meta', 'sealed_rows', 'sealed_leases'].map((table) => [table, rows(table)]));
  } finally {
    db.close();
  }
}

function dumpTables(path: string): Pick<StoreDump, 'tables' | 'serving'> | null {
  const db = new Database(path, { timeout: 2000 });
  try {
    if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'jobs'").get() === undefined) return null;
    // A store that an earlier version has written lacks the later ones.
    const known = new Set(db.prepare("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").pluck().all());
    const rows = (table: string): string[] => {
      if (!known.has(table)) return [];
      return db
        .prepare(`SELECT * FROM ${table} ORDER BY 1, 2`)
        .all()
        .map((row) => JSON.stringify(row));
    };
    // One entry for each name of the list.
    const tables = Object.fromEntries(TABLES.map((table) => [table, rows(table)])) as unknown as StoreTables;
    return { tables, serving: Object.fromEntries(SERVING_TABLES.map((table) => [table, rows(table)])) };
  } finally {
    db.close();
  }
}
