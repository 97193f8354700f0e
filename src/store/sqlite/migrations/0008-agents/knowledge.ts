/**
 * What agents search. Notes on what is not obvious:
 * - A document is named by its bytes, so what did not change is never indexed again, and files with
 *   the same bytes share one. It is there when its row in `knowledge_documents` is: that is written
 *   with the last of its passages.
 * - An index is a list of documents and never changes: a run that was submitted with it finds what
 *   it found then.
 * - `knowledge_words` is the full-text index, as rows: it is the same in both dialects and moves
 *   with the store. `passages` holds the numbers of the passages with that word, in order, with
 *   commas.
 * - `used_at` is the last submit that named the index, to the day or closer; with `made_at` it
 *   bounds the runs that may search it.
 */
export const KNOWLEDGE = `CREATE TABLE knowledge_documents (
  digest TEXT PRIMARY KEY,
  passages INTEGER NOT NULL,
  made_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE knowledge_passages (
  document TEXT NOT NULL,
  n INTEGER NOT NULL,
  heading TEXT,
  line_from INTEGER NOT NULL,
  line_to INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (document, n)
) STRICT;
CREATE TABLE knowledge_words (
  word TEXT NOT NULL,
  document TEXT NOT NULL,
  passages TEXT NOT NULL,
  PRIMARY KEY (word, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX knowledge_words_by_document ON knowledge_words (document);
CREATE TABLE knowledge_indexes (
  digest TEXT PRIMARY KEY,
  files INTEGER NOT NULL,
  made_at TEXT NOT NULL,
  used_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE knowledge_files (
  index_digest TEXT NOT NULL,
  path TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (index_digest, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX knowledge_files_by_document ON knowledge_files (document, index_digest);`;
