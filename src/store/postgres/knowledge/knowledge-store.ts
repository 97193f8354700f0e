import type { KnowledgeStore } from '../../../domain/ports/knowledge.js';
import type { DurableWrite } from '../../fault-points.js';
import { findPassages } from '../../knowledge/find-passages.js';
import { knowledgeSql } from '../../knowledge/knowledge-sql.js';
import { documentSlices, isFresh, knownDocuments, putIndex } from '../../knowledge/put-knowledge.js';
import { idleShare, removeDocuments, removeIndexes } from '../../knowledge/remove-idle.js';
import { POSTGRES_DIALECT, type Program, runLater } from '../../program.js';
import type { PostgresDeps } from '../deps.js';
import { NOW } from '../sql/session.js';

const SQL = knowledgeSql(POSTGRES_DIALECT);
/** A read holds no lock. */
const READ_SQL = knowledgeSql({ ...POSTGRES_DIALECT, lock: '' });

const writer =
  (deps: PostgresDeps, name: DurableWrite) =>
  <T>(program: (now: string) => Program<T>): Promise<T> =>
    deps.queue.run({ writes: [name], jobs: [], work: (tx) => runLater(tx, program(tx.now)) });

/** Knowledge bases in PostgreSQL. */
export function createPostgresKnowledge(deps: PostgresDeps): KnowledgeStore {
  const write = writer(deps, 'knowledge.put');
  return {
    known: (documents) => deps.read((sql) => runLater(sql, knownDocuments(READ_SQL, documents))),
    find: (index, ask) => deps.read((sql) => runLater(sql, findPassages(READ_SQL, index, ask))),
    putDocument: async (document) => {
      for (const slice of documentSlices(SQL, document)) await write(slice);
    },
    putIndex: async (index) => {
      const now = (await deps.read((sql) => sql.get<{ now: string }>(NOW)))?.now ?? '';
      if (await deps.read((sql) => runLater(sql, isFresh(READ_SQL, index, now)))) return true;
      return write((at) => putIndex(SQL, index, at));
    },
  };
}

/** What `removeIdleKnowledge` would remove now. */
export const idleKnowledge = (deps: PostgresDeps, before: string) =>
  deps.read((sql) => runLater(sql, idleShare(READ_SQL, before)));

/** Removes what no run can search any more; writes nothing where there is nothing. */
export async function removeIdleKnowledge(deps: PostgresDeps, before: string) {
  const write = writer(deps, 'run.remove');
  const idle = await idleKnowledge(deps, before);
  const indexes = idle.indexes === 0 ? 0 : await write(() => removeIndexes(SQL, before));
  let documents = 0;
  for (let removed = 1; removed > 0 && documents < idle.documents; documents += removed)
    removed = await write(() => removeDocuments(SQL, before));
  return { indexes, documents };
}
