/** The notes stand beside the text of the other dialect. */
export const KNOWLEDGE = `CREATE TABLE knowledge_indexes (
  index_id TEXT COLLATE "C" NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  file TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (index_id, path)
);
CREATE TABLE knowledge_chunks (
  file TEXT COLLATE "C" NOT NULL,
  n BIGINT NOT NULL,
  heading TEXT NOT NULL,
  line_from BIGINT NOT NULL,
  line_to BIGINT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (file, n)
);
CREATE TABLE knowledge_words (
  word TEXT COLLATE "C" NOT NULL,
  file TEXT COLLATE "C" NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (word, file, n)
);`;
