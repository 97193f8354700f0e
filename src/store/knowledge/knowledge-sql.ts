import type { SqlDialect } from '../program.js';

/** How far the documents of one word are counted. */
export const COUNTED = 1_000;

/** Documents of one index; `w` is a row of `knowledge_words`. */
const IN_INDEX =
  'EXISTS (SELECT 1 FROM knowledge_files AS f WHERE f.document = w.document AND f.index_digest = @index)';
/**
 * Statements on knowledge bases; the texts of the dialects differ where they read a list and where
 * they lock.
 */
export const knowledgeSql = ({ list, rows, cell, lock }: SqlDialect) => ({
  KNOWN: `SELECT digest FROM knowledge_documents WHERE passages >= 0 AND digest IN (SELECT list.value FROM ${list('documents')}) ${lock}`,
  ADD_PASSAGES: `INSERT INTO knowledge_passages (document, n, heading, line_from, line_to, body)
SELECT CAST(@document AS TEXT), CAST(${cell(0)} AS BIGINT), ${cell(1)}, CAST(${cell(2)} AS BIGINT), CAST(${cell(3)} AS BIGINT), ${cell(4)} FROM ${rows('passages')}
WHERE true ON CONFLICT DO NOTHING`,
  ADD_WORDS: `INSERT INTO knowledge_words (word, document, passages)
SELECT ${cell(0)}, CAST(@document AS TEXT), ${cell(1)} FROM ${rows('words')} WHERE true ON CONFLICT DO NOTHING`,
  /** Before its passages: what a process left half done is known by it. */
  BEGIN_DOCUMENT:
    'INSERT INTO knowledge_documents (digest, passages, made_at) VALUES (@document, -1, @now) ON CONFLICT DO NOTHING',
  END_DOCUMENT: 'UPDATE knowledge_documents SET passages = @passages WHERE digest = @document',
  INDEX: 'SELECT files FROM knowledge_indexes WHERE digest = @index',
  /** Used so lately that nobody removes it for as long as a submit takes. */
  FRESH_INDEX: 'SELECT files FROM knowledge_indexes WHERE digest = @index AND used_at >= @since',
  ADD_INDEX:
    'INSERT INTO knowledge_indexes (digest, files, made_at, used_at) VALUES (@index, @files, @now, @now) ON CONFLICT DO NOTHING',
  USE_INDEX: 'UPDATE knowledge_indexes SET used_at = @now WHERE digest = @index AND used_at < @since',
  ADD_FILES: `INSERT INTO knowledge_files (index_digest, path, document)
SELECT CAST(@index AS TEXT), ${cell(0)}, ${cell(1)} FROM ${rows('files')} WHERE true ON CONFLICT DO NOTHING`,
  HITS: `SELECT list.value AS word,
(SELECT count(*) FROM (SELECT 1 FROM knowledge_words AS w WHERE w.word = list.value AND ${IN_INDEX} LIMIT ${COUNTED}) AS counted) AS count FROM ${list('words')}`,
  POSTINGS: `SELECT w.word AS word, w.document AS document, w.passages AS passages FROM knowledge_words AS w
WHERE w.word IN (SELECT list.value FROM ${list('words')}) AND ${IN_INDEX} LIMIT @limit`,
  PASSAGES: `SELECT p.document AS document, p.n AS n, p.heading AS heading, p.line_from AS line_from, p.line_to AS line_to, p.body AS body,
(SELECT min(f.path) FROM knowledge_files AS f WHERE f.document = p.document AND f.index_digest = @index) AS path
FROM ${rows('wanted')} JOIN knowledge_passages AS p ON p.document = ${cell(0)} AND p.n = CAST(${cell(1)} AS BIGINT)`,
  OLD_INDEXES: 'SELECT digest, made_at, used_at FROM knowledge_indexes WHERE used_at < @before ORDER BY digest',
  /** Reads every job: for all indexes at once. */
  HOURS:
    'SELECT DISTINCT substr(created_at, 1, 13) AS hour FROM jobs WHERE created_at >= @from AND created_at <= @until',
  LOCK_INDEX: `SELECT digest FROM knowledge_indexes WHERE digest = @index AND used_at = @usedAt ${lock}`,
  DROP_FILES: 'DELETE FROM knowledge_files WHERE index_digest = @index',
  DROP_INDEX: 'DELETE FROM knowledge_indexes WHERE digest = @index',
  LOOSE: `SELECT d.digest AS digest FROM knowledge_documents AS d
WHERE d.made_at < @before AND NOT EXISTS (SELECT 1 FROM knowledge_files AS f WHERE f.document = d.digest) LIMIT @limit ${lock}`,
  /** What `LOOSE` says once the indexes of the list are gone. */
  LOOSE_SHARE: `SELECT count(*) AS rows, coalesce(sum((SELECT sum(length(p.body)) FROM knowledge_passages AS p WHERE p.document = d.digest)), 0) AS bytes
FROM knowledge_documents AS d WHERE d.made_at < @before
AND NOT EXISTS (SELECT 1 FROM knowledge_files AS f WHERE f.document = d.digest AND f.index_digest NOT IN (SELECT list.value FROM ${list('idle')}))`,
  IS_LOOSE: 'SELECT 1 AS found WHERE NOT EXISTS (SELECT 1 FROM knowledge_files AS f WHERE f.document = @document)',
  DROP_WORDS: 'DELETE FROM knowledge_words WHERE document = @document',
  DROP_PASSAGES: 'DELETE FROM knowledge_passages WHERE document = @document',
  DROP_DOCUMENT: 'DELETE FROM knowledge_documents WHERE digest = @document',
});

export type KnowledgeSql = ReturnType<typeof knowledgeSql>;
