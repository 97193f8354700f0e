import type { MemoryStore } from '../../domain/ports/memory.js';
import { createMemoryStore } from '../memory/memory-store.js';
import { SQLITE_DIALECT } from '../program.js';
import type { SqliteDeps } from './deps.js';
import { sqlitePrograms } from './programs.js';

/** Memory in SQLite. */
export const createSqliteMemory = (deps: SqliteDeps): MemoryStore =>
  createMemoryStore(sqlitePrograms(deps), SQLITE_DIALECT);
