/**
 * One entry of a topology's `artifacts.knowledge_bases`: documents of the workspace that its agents
 * may search. Plain JSON.
 */
export interface KnowledgeBase {
  readonly id: string;
  /**
   * Folder or file, relative to the workspace; '' = none is written, so there is nothing to search.
   */
  readonly path: string;
  /** Globs below the path; empty = every Markdown, text and PDF file. */
  readonly include: readonly string[];
  /**
   * Engine that the index has to lie in, which is that of the runs; null =
   * `storage.knowledge_bases`, else wherever the runs lie.
   */
  readonly storage: 'sqlite' | 'postgres' | null;
}

/**
 * A base as a run searches it: the index of the bytes that were there when the run was submitted.
 */
export interface FrozenKnowledge extends KnowledgeBase {
  /** Digest of the index (`KnowledgeIndex.digest`). */
  readonly index: string;
}

/** A piece of a document that is short enough to be read whole. */
export interface KnowledgePassage {
  /**
   * Headings above it, outermost first, joined by ` > `; `page <n>` in a PDF; null in plain text.
   */
  readonly heading: string | null;
  /** First and last line, counted from 1; in a PDF lines of the text of that page. */
  readonly lines: readonly [from: number, to: number];
  readonly text: string;
}

/** One result of `search-<id>`, as an agent is given it. */
export interface KnowledgeResult {
  /** Relative to the workspace. */
  readonly file: string;
  readonly heading: string | null;
  readonly lines: readonly [from: number, to: number];
  readonly text: string;
  /** 0..1, two digits: how well wording and question agree. Comparable within one answer only. */
  readonly score: number;
}
