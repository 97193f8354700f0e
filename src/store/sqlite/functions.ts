import type Database from 'better-sqlite3';
import { createNeedsCheck } from '../meets-needs.js';

/** What the statements of this store call that SQLite does not have; every connection gets it. */
export function addFunctions(db: Database.Database, mode: 'read' | 'write' | 'alone' = 'read'): void {
  db.function('kit_meets', { deterministic: true }, createNeedsCheck());
  // The log takes inserts from kit's own writing connections alone (migration 4).
  db.function('kit_writes', { deterministic: true }, () => (mode === 'write' ? 1 : 0));
}
