/** The notes stand beside the text of the other dialect. */
export const KNOWLEDGE = `CREATE TABLE knowledge_documents (
  digest TEXT COLLATE "C" PRIMARY KEY,
  passages BIGINT NOT NULL,
  made_at TEXT COLLATE "C" NOT NULL
);
CREATE TABLE knowledge_passages (
  document TEXT COLLATE "C" NOT NULL,
  n BIGINT NOT NULL,
  heading TEXT,
  line_from BIGINT NOT NULL,
  line_to BIGINT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (document, n)
);
CREATE TABLE knowledge_words (
  word TEXT COLLATE "C" NOT NULL,
  document TEXT COLLATE "C" NOT NULL,
  passages TEXT NOT NULL,
  PRIMARY KEY (word, document)
);
CREATE INDEX knowledge_words_by_document ON knowledge_words (document);
CREATE TABLE knowledge_indexes (
  digest TEXT COLLATE "C" PRIMARY KEY,
  files BIGINT NOT NULL,
  made_at TEXT COLLATE "C" NOT NULL,
  used_at TEXT COLLATE "C" NOT NULL
);
CREATE TABLE knowledge_files (
  index_digest TEXT COLLATE "C" NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  document TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (index_digest, path)
);
CREATE INDEX knowledge_files_by_document ON knowledge_files (document, index_digest);`;
