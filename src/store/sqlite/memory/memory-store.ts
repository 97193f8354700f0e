import type { MemoryStore } from '../../../domain/ports/memory.js';
import { memorySql } from '../../memory/memory-sql.js';
import { findMemories, listMemories, listQuarantine, memoryItem } from '../../memory/read-memory.js';
import { resolveMemory, writeMemories } from '../../memory/write-memory.js';
import { type Program, runNow, SQLITE_DIALECT } from '../../program.js';
import { isoAt, type SqliteDeps } from '../deps.js';

const SQL = memorySql(SQLITE_DIALECT);

/** Memory in SQLite. */
export function createSqliteMemory(deps: SqliteDeps): MemoryStore {
  const read = <T>(program: () => Program<T>): Promise<T> => deps.read((sql) => runNow(sql, program()));
  const write = <T>(program: (now: string) => Program<T>): Promise<T> =>
    deps.queue.run(['memory.write'], (sql) => runNow(sql, program(isoAt(deps.clock.now()))));
  return {
    find: (reader, ask) => read(() => findMemories(SQL, reader, ask)),
    list: (reader, ask) => read(() => listMemories(SQL, reader, ask)),
    item: (reader, key) => read(() => memoryItem(SQL, reader, key)),
    quarantine: (reader, ask) => read(() => listQuarantine(SQL, reader, ask)),
    write: (ask) => write((now) => writeMemories(SQL, ask, now)),
    resolve: (reader, decision) => write((now) => resolveMemory(SQL, { reader, decision }, now)),
  };
}
