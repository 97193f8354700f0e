import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { KitError } from '../../domain/errors.js';
import type { Pacing } from '../pacing.js';
import { retryBusy } from './busy.js';
import { addFunctions } from './functions.js';
import { createSqlRunner, type SqlRunner } from './sql-runner.js';
import { unopened } from './unopened.js';

export interface Connection {
  readonly sql: SqlRunner;
  close(): void;
}

export interface ConnectionRequest {
  readonly path: string;
  /**
   * `alone`: it is read, and nobody else has it open. Then the index of its log lies in memory,
   * and no file beside it has to be made.
   */
  readonly mode: 'read' | 'write' | 'alone';
  readonly pacing: Pacing;
}

/**
 * `synchronous` belongs to a connection, not to the file: a reopened WAL file would run with NORMAL
 * and lose commits in a power cut, so every connection sets FULL. `timeout: 0`: SQLite's own
 * waiting sleeps inside the event loop (docs/design/journal.md#sqlite).
 */
export async function openConnection(request: ConnectionRequest): Promise<Connection> {
  const { path, mode, pacing } = request;
  const { default: SqliteDatabase } = await import('better-sqlite3');
  try {
    const db: Database.Database = new SqliteDatabase(path, {
      timeout: 0,
      readonly: mode === 'read',
      fileMustExist: mode !== 'write',
    });
    addFunctions(db, mode);
    const sql = createSqlRunner(db);
    try {
      await retryBusy(pacing, () => configure(sql, mode));
      return { sql, close: () => db.close() };
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw await unopened(error, { path, mode: mode === 'write' ? 'write' : 'read' });
  }
}

/**
 * 32 MiB of log between two checkpoints, half of what is cut at idle (wal-keeper.ts): a page that
 * is written again and again goes into the file once. SQLite's default of 4 MiB checkpoints, with
 * two more syncs, after every eight runs of ten agents.
 */
const CHECKPOINT_PAGES = 8192;

/** Even a pragma reads the file, and another process may just be recovering or removing its log. */
function configure(sql: SqlRunner, mode: ConnectionRequest['mode']): void {
  if (mode === 'write') {
    // Of a new file alone, before anything is in it: pages that become free can be given back in
    // slices (`kit storage prune`).
    sql.pragma('auto_vacuum = INCREMENTAL');
    setWal(sql);
  }
  if (mode === 'alone') {
    sql.pragma('locking_mode = EXCLUSIVE');
    sql.pragma('query_only = ON');
  }
  sql.pragma('synchronous = FULL');
  sql.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  sql.pragma('fullfsync = ON');
  sql.pragma('checkpoint_fullfsync = ON');
}

function setWal(sql: SqlRunner): void {
  const mode = sql.pragma('journal_mode = WAL');
  if (mode !== 'wal')
    throw new KitError(
      'KIT_STORE_UNAVAILABLE',
      `the file system cannot hold a write-ahead log (journal mode ${String(mode)})`,
    );
}

/**
 * Tells that a file which a connection has open is still the one that lies at its path. Where it
 * was removed, or another one was put there, the system goes on to write into what nobody can open
 * any more: each commit would succeed, and be lost with the process. Looked at before each commit.
 */
export function sameFile(path: string): () => void {
  const inodeOf = (): number | null => statSync(path, { throwIfNoEntry: false })?.ino ?? null;
  const opened = inodeOf();
  return () => {
    const now = inodeOf();
    if (now === opened) return;
    const what = now === null ? 'is gone' : 'is another file';
    throw new KitError('KIT_STORE_GONE', `${path} ${what} since this process opened it; nothing was written`);
  };
}
