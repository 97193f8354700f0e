import type { MemoryStore } from '../../../domain/ports/memory.js';
import { memorySql } from '../../memory/memory-sql.js';
import { findMemories, listMemories, listQuarantine, memoryItem } from '../../memory/read-memory.js';
import { resolveMemory, writeMemories } from '../../memory/write-memory.js';
import { POSTGRES_DIALECT, type Program, runLater } from '../../program.js';
import type { PostgresDeps } from '../deps.js';

const SQL = memorySql(POSTGRES_DIALECT);
/** A read holds no lock. */
const READ_SQL = memorySql({ ...POSTGRES_DIALECT, lock: '' });

/** Memory in PostgreSQL; an entry is changed under the lock of its row. */
export function createPostgresMemory(deps: PostgresDeps): MemoryStore {
  const read = <T>(program: () => Program<T>): Promise<T> => deps.read((sql) => runLater(sql, program()));
  const write = <T>(program: (now: string) => Program<T>): Promise<T> =>
    deps.queue.run({ writes: ['memory.write'], jobs: [], work: (tx) => runLater(tx, program(tx.now)) });
  return {
    find: (reader, ask) => read(() => findMemories(READ_SQL, reader, ask)),
    list: (reader, ask) => read(() => listMemories(READ_SQL, reader, ask)),
    item: (reader, key) => read(() => memoryItem(READ_SQL, reader, key)),
    quarantine: (reader, ask) => read(() => listQuarantine(READ_SQL, reader, ask)),
    write: (ask) => write((now) => writeMemories(SQL, ask, now)),
    resolve: (reader, decision) => write((now) => resolveMemory(SQL, { reader, decision }, now)),
  };
}
