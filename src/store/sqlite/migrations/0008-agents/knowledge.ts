/**
 * Documents that agents may search. A chunk belongs to the bytes of a file (`file` is their digest, with how they were read), and an index names the
 * files it holds: its id is a digest of them all. So nothing that was written ever changes: a run goes on reading the index it began with while a newer one is made.
 */
export const KNOWLEDGE = `CREATE TABLE knowledge_indexes (
  index_id TEXT NOT NULL,
  path TEXT NOT NULL,
  file TEXT NOT NULL,
  PRIMARY KEY (index_id, path)
) STRICT, WITHOUT ROWID;
CREATE TABLE knowledge_chunks (
  file TEXT NOT NULL,
  n INTEGER NOT NULL,
  heading TEXT NOT NULL,
  line_from INTEGER NOT NULL,
  line_to INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (file, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE knowledge_words (
  word TEXT NOT NULL,
  file TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (word, file, n)
) STRICT, WITHOUT ROWID;`;
