import type { KnowledgePassage } from '../knowledge.js';

/** One file of an index, and the digest of what is searched in its place. */
export interface KnowledgeFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /**
   * Digest of the document: its bytes and the way they are read. Files with the same bytes share a
   * document.
   */
  readonly document: string;
}

/** Which bytes a run searches: never changed, named by its digest. */
export interface KnowledgeIndex {
  /** SHA-256 over the files, in hex. */
  readonly digest: string;
  /** In the order of their paths. */
  readonly files: readonly KnowledgeFile[];
}

/** What is kept of a document. */
export interface KnowledgeDocument {
  readonly digest: string;
  readonly passages: readonly (KnowledgePassage & {
    /** What it is found by. */
    readonly words: readonly string[];
  })[];
}

/** A passage that shares words with a question, and which. */
export interface KnowledgeHit {
  readonly file: string;
  readonly passage: KnowledgePassage;
  /** 0 upwards: the rarity of the asked words that it holds, in words of mean rarity. */
  readonly match: number;
}

/** Indexes of documents, in the database of the runs: whoever executes a run can search them. */
export interface KnowledgeStore {
  /** Those of `documents` that are kept whole. */
  known(documents: readonly string[]): Promise<ReadonlySet<string>>;
  /** Keeps a document; one that is kept already stays as it is. */
  putDocument(document: KnowledgeDocument): Promise<void>;
  /**
   * Names an index, whose documents were put before; from now on it counts as used. False: one of
   * its documents is not there.
   */
  putIndex(index: KnowledgeIndex): Promise<boolean>;
  /**
   * Passages that hold some of `words`, best match first, at most `limit`; null = there is no such
   * index.
   */
  find(
    index: string,
    ask: { readonly words: readonly string[]; readonly limit: number },
  ): Promise<readonly KnowledgeHit[] | null>;
}
