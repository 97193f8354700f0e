import type { KnowledgeStore } from '../../../domain/ports/knowledge.js';
import type { DurableWrite } from '../../fault-points.js';
import { findPassages } from '../../knowledge/find-passages.js';
import { knowledgeSql } from '../../knowledge/knowledge-sql.js';
import { documentSlices, isFresh, knownDocuments, putIndex } from '../../knowledge/put-knowledge.js';
import { idleShare, removeDocuments, removeIndexes } from '../../knowledge/remove-idle.js';
import { type Program, runNow, SQLITE_DIALECT } from '../../program.js';
import { isoAt, type SqliteDeps } from '../deps.js';

const SQL = knowledgeSql(SQLITE_DIALECT);

const writer =
  (deps: SqliteDeps, name: DurableWrite) =>
  <T>(program: (now: string) => Program<T>): Promise<T> =>
    deps.queue.run([name], (sql) => runNow(sql, program(isoAt(deps.clock.now()))));

/** Knowledge bases in SQLite. */
export function createSqliteKnowledge(deps: SqliteDeps): KnowledgeStore {
  const write = writer(deps, 'knowledge.put');
  return {
    known: (documents) => deps.read((sql) => runNow(sql, knownDocuments(SQL, documents))),
    find: (index, ask) => deps.read((sql) => runNow(sql, findPassages(SQL, index, ask))),
    putDocument: async (document) => {
      for (const slice of documentSlices(SQL, document)) await write(slice);
    },
    putIndex: async (index) => {
      const now = isoAt(deps.clock.now());
      if (await deps.read((sql) => runNow(sql, isFresh(SQL, index, now)))) return true;
      return write((at) => putIndex(SQL, index, at));
    },
  };
}

/** What `removeIdleKnowledge` would remove now. */
export const idleKnowledge = (deps: SqliteDeps, before: string) =>
  deps.read((sql) => runNow(sql, idleShare(SQL, before)));

/** Removes what no run can search any more; writes nothing where there is nothing. */
export async function removeIdleKnowledge(deps: SqliteDeps, before: string) {
  const write = writer(deps, 'run.remove');
  const idle = await idleKnowledge(deps, before);
  const indexes = idle.indexes === 0 ? 0 : await write(() => removeIndexes(SQL, before));
  let documents = 0;
  for (let removed = 1; removed > 0 && documents < idle.documents; documents += removed)
    removed = await write(() => removeDocuments(SQL, before));
  return { indexes, documents };
}
