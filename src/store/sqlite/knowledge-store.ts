import type { KnowledgeStore } from '../../domain/ports/knowledge.js';
import { createKnowledgeStore } from '../knowledge/knowledge-store.js';
import { SQLITE_DIALECT } from '../program.js';
import type { SqliteDeps } from './deps.js';
import { sqlitePrograms } from './programs.js';

/** Knowledge bases in SQLite. */
export const createSqliteKnowledge = (deps: SqliteDeps): KnowledgeStore =>
  createKnowledgeStore(sqlitePrograms(deps), SQLITE_DIALECT);
