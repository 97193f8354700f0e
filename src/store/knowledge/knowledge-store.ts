import type { KnowledgeStore } from '../../domain/ports/knowledge.js';
import type { Programs, SqlDialect } from '../program.js';
import { findPassages } from './find-passages.js';
import { knowledgeSql } from './knowledge-sql.js';
import { documentSlices, isFresh, knownDocuments, putIndex } from './put-knowledge.js';
import { idleShare, removeDocuments, removeIndexes } from './remove-idle.js';

/** What nobody has searched for long, and its removal. */
export interface IdleKnowledge {
  /** What `remove` would remove now. */
  readonly share: (
    before: string,
  ) => Promise<{ readonly indexes: number; readonly documents: number; readonly bytes: number }>;
  /** Writes nothing where there is nothing. */
  readonly remove: (before: string) => Promise<{ readonly indexes: number; readonly documents: number }>;
}

/** Knowledge bases. A read holds no lock. */
export function createKnowledgeStore({ now, read, write }: Programs, dialect: SqlDialect): KnowledgeStore {
  const sql = knowledgeSql(dialect);
  const readSql = knowledgeSql({ ...dialect, lock: '' });
  return {
    known: (documents) => read(() => knownDocuments(readSql, documents)),
    find: (index, ask) => read(() => findPassages(readSql, index, ask)),
    putDocument: async (document) => {
      for (const slice of documentSlices(sql, document)) await write('knowledge.put', (at) => slice(at()));
    },
    putIndex: async (index) => {
      const nowIso = await now();
      if (await read(() => isFresh(readSql, index, nowIso))) return true;
      return write('knowledge.put', (at) => putIndex(sql, index, at()));
    },
  };
}

export function createIdleKnowledge(
  { read, write }: Pick<Programs, 'read' | 'write'>,
  dialect: SqlDialect,
): IdleKnowledge {
  const sql = knowledgeSql(dialect);
  const readSql = knowledgeSql({ ...dialect, lock: '' });
  const share = (before: string) => read(() => idleShare(readSql, before));
  return {
    share,
    remove: async (before) => {
      const idle = await share(before);
      const indexes = idle.indexes === 0 ? 0 : await write('run.remove', () => removeIndexes(sql, before));
      let documents = 0;
      for (let removed = 1; removed > 0 && documents < idle.documents; documents += removed)
        removed = await write('run.remove', () => removeDocuments(sql, before));
      return { indexes, documents };
    },
  };
}
