import type Database from 'better-sqlite3';
import { createNeedsCheck } from '../meets-needs.js';

/** What the statements of this store call that SQLite does not have; every connection gets it. */
export function addFunctions(db: Database.Database): void {
  db.function('kit_meets', { deterministic: true }, createNeedsCheck());
}
