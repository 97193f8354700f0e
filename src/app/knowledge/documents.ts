/** Bytes of one document (docs/knowledge.md): what is larger is data, not something to read. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** Documents of one knowledge base, and their bytes together: each submit looks at all of them. */
export const MAX_FILES = 5_000;
export const MAX_TOTAL_BYTES = 100 * 1024 * 1024;

/** How the bytes of a document become text. */
export type DocumentKind = 'markdown' | 'text' | 'pdf';

const KINDS: Readonly<Record<string, DocumentKind>> = {
  md: 'markdown',
  markdown: 'markdown',
  pdf: 'pdf',
  txt: 'text',
  text: 'text',
};

/**
 * What `include` stands for where it is not written: files whose names say that they are documents.
 */
export const isDocumentName = (path: string): boolean => Object.hasOwn(KINDS, extensionOf(path));

/** By the end of the name; any other file that somebody asks for is text. */
export const kindOfDocument = (path: string): DocumentKind => KINDS[extensionOf(path)] ?? 'text';

const extensionOf = (path: string): string => /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';

/** Why a document, or a whole base, cannot be searched. */
export interface KnowledgeProblem {
  readonly code:
    | 'knowledge.not-text'
    | 'knowledge.nothing-found'
    | 'knowledge.outside'
    | 'knowledge.too-large'
    | 'knowledge.unreadable';
  /** Id of the base. */
  readonly base: string;
  /** Relative to the workspace: the document, or the path of the base. */
  readonly file: string;
  /** Lower case, without a full stop; names the file. */
  readonly message: string;
}

/** The text of each page of a PDF. Rejects for what is none, and for one that wants a password. */
export type PdfPages = (bytes: Uint8Array) => Promise<readonly string[]>;
