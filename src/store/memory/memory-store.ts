import type { MemoryStore } from '../../domain/ports/memory.js';
import type { Programs, SqlDialect } from '../program.js';
import { memorySql } from './memory-sql.js';
import { findMemories, listMemories, listQuarantine, memoryItem } from './read-memory.js';
import { resolveMemory, writeMemories } from './write-memory.js';

/** Memory; an entry is changed under the lock of its row. */
export function createMemoryStore({ read, write }: Programs, dialect: SqlDialect): MemoryStore {
  const sql = memorySql(dialect);
  // A read holds no lock.
  const readSql = memorySql({ ...dialect, lock: '' });
  return {
    find: (reader, ask) => read(() => findMemories(readSql, reader, ask)),
    list: (reader, ask) => read(() => listMemories(readSql, reader, ask)),
    item: (reader, key) => read(() => memoryItem(readSql, reader, key)),
    quarantine: (reader, ask) => read(() => listQuarantine(readSql, reader, ask)),
    write: (ask) => write('memory.write', (at) => writeMemories(sql, ask, at())),
    resolve: (reader, decision) => write('memory.write', (at) => resolveMemory(sql, { reader, decision }, at())),
  };
}
