import type { MemoryStore } from '../../domain/ports/memory.js';
import { createMemoryStore } from '../memory/memory-store.js';
import { POSTGRES_DIALECT } from '../program.js';
import type { PostgresDeps } from './deps.js';
import { postgresPrograms } from './programs.js';

/** Memory in PostgreSQL. */
export const createPostgresMemory = (deps: PostgresDeps): MemoryStore =>
  createMemoryStore(postgresPrograms(deps), POSTGRES_DIALECT);
