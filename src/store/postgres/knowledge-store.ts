import type { KnowledgeStore } from '../../domain/ports/knowledge.js';
import { createKnowledgeStore } from '../knowledge/knowledge-store.js';
import { POSTGRES_DIALECT } from '../program.js';
import type { PostgresDeps } from './deps.js';
import { postgresPrograms } from './programs.js';

/** Knowledge bases in PostgreSQL. */
export const createPostgresKnowledge = (deps: PostgresDeps): KnowledgeStore =>
  createKnowledgeStore(postgresPrograms(deps), POSTGRES_DIALECT);
