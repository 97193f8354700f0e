import picomatch from 'picomatch';
import { isKitError, KitError } from '../../domain/errors.js';
import type { FrozenKnowledge, KnowledgeBase } from '../../domain/knowledge.js';
import type { KnowledgeIndex, KnowledgeStore } from '../../domain/ports/knowledge.js';
import type { Files } from '../../domain/ports/system.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { sha256Hex } from '../../lib/sha256.js';
import { withPending } from '../editing/pending-edit.js';
import type { KnowledgeProblem, PdfPages } from './documents.js';
import { indexDocument } from './index-document.js';
import { listDocuments, reasonOf, unreadable } from './list-documents.js';
import { type DigestCache, digestOf, type ReadDocument, readDocuments } from './read-documents.js';

/** What reading knowledge bases takes of the outside. */
export interface KnowledgeSources {
  readonly files: Files;
  /** Real path of the workspace. */
  readonly root: string;
  /** Null: every file is read. */
  readonly cache: DigestCache | null;
  readonly pdfPages: PdfPages;
}

/** The documents of a base as they are now. */
export interface ReadBase {
  readonly base: KnowledgeBase;
  readonly documents: readonly ReadDocument[];
  readonly problems: readonly KnowledgeProblem[];
}

/** With the documents of a change that was decided, and whose process died before it wrote them. */
export const asDecided = async <Of extends Pick<KnowledgeSources, 'files' | 'root'>>(given: Of): Promise<Of> => ({
  ...given,
  files: await withPending(given.files, given.root),
});

/** Lists and reads; writes nothing. */
export async function readBase(sources: KnowledgeSources, base: KnowledgeBase): Promise<ReadBase> {
  const isIncluded = base.include.length === 0 ? null : picomatch([...base.include], { strictBrackets: true });
  const listed = await listDocuments(sources, base, isIncluded);
  const read = await readDocuments(sources, base, listed.documents);
  return { base, documents: read.documents, problems: [...listed.problems, ...read.problems] };
}

/**
 * The knowledge of a run before it is submitted: what its snapshot names, and how that gets into
 * the store.
 */
export interface PreparedKnowledge {
  readonly frozen: readonly FrozenKnowledge[];
  /**
   * Indexes what the store does not hold yet. Throws KIT_KNOWLEDGE_INVALID for a PDF that cannot be
   * read, and for what has changed meanwhile.
   */
  readonly write: (store: KnowledgeStore) => Promise<void>;
}

/** How often a submit starts over because documents went while it looked at them. */
const ATTEMPTS = 3;
/** Documents that are indexed at the same time. */
const AT_ONCE = 16;

/**
 * Looks at the documents of every base that a run may search. The bytes that are there now are what
 * it searches until its end; unchanged ones are not indexed again.
 *
 * Throws KIT_KNOWLEDGE_INVALID naming every document that cannot be searched.
 */
export async function prepareKnowledge(
  given: KnowledgeSources,
  bases: readonly KnowledgeBase[],
): Promise<PreparedKnowledge> {
  const sources = await asDecided(given);
  const read: ReadBase[] = [];
  for (const base of bases) read.push(await readBase(sources, base));
  assertReadable(read.flatMap(({ problems }) => problems));
  const indexes = read.map(({ base, documents }) => ({ base, documents, index: indexOf(documents) }));
  return {
    frozen: indexes.map(({ base, index }) => ({ ...base, index: index.digest })),
    write: async (store) => {
      for (const { base, documents, index } of indexes) {
        let isWritten = false;
        for (let attempt = 0; !isWritten && attempt < ATTEMPTS; attempt += 1) {
          await putDocuments(sources, { base, documents, store });
          isWritten = await store.putIndex(index);
        }
        if (!isWritten) throw new Error(`the documents of the knowledge base ${base.id} do not stay in the store`);
      }
    },
  };
}

function indexOf(documents: readonly ReadDocument[]): KnowledgeIndex {
  const files = documents
    .map(({ path, digest }) => ({ path, document: digest }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return { digest: sha256Hex(canonicalJson(files)), files };
}

async function putDocuments(
  sources: KnowledgeSources,
  of: { readonly base: KnowledgeBase; readonly documents: readonly ReadDocument[]; readonly store: KnowledgeStore },
): Promise<void> {
  const { base, documents, store } = of;
  const known = new Set(await store.known([...new Set(documents.map(({ digest }) => digest))]));
  const missing = documents.filter(({ digest }) => {
    if (known.has(digest)) return false;
    known.add(digest);
    return true;
  });
  const problems: KnowledgeProblem[] = [];
  // Together, so that their writes share commits.
  for (let from = 0; from < missing.length; from += AT_ONCE) {
    const found = await Promise.all(
      missing.slice(from, from + AT_ONCE).map((document) => putDocument(sources, { base, document, store })),
    );
    problems.push(...found.filter((problem) => problem !== null));
  }
  assertReadable(problems);
}

async function putDocument(
  sources: KnowledgeSources,
  {
    base,
    document,
    store,
  }: { readonly base: KnowledgeBase; readonly document: ReadDocument; readonly store: KnowledgeStore },
): Promise<KnowledgeProblem | null> {
  const { path, digest } = document;
  const bytes = document.bytes ?? (await sources.files.readBytes(document.realPath).catch(() => null));
  if (bytes === null || digestOf(path, bytes) !== digest) return unreadable(base, path, 'it has changed just now');
  const indexed = await indexDocument({ path, digest, bytes }, sources.pdfPages).catch((error: unknown) => {
    // No problem of the document: a package is missing.
    if (isKitError(error)) throw error;
    return reasonOf(error);
  });
  if (typeof indexed === 'string') return unreadable(base, path, indexed);
  await store.putDocument(indexed);
  return null;
}

const MOST_NAMED = 10;

function assertReadable(problems: readonly KnowledgeProblem[]): void {
  if (problems.length === 0) return;
  const named = problems.slice(0, MOST_NAMED).map(({ message }) => message);
  const more = problems.length > MOST_NAMED ? `; and ${problems.length - MOST_NAMED} more` : '';
  const bases = [...new Set(problems.map(({ base }) => base))].join(', ');
  throw new KitError(
    'KIT_KNOWLEDGE_INVALID',
    `the knowledge base ${bases} cannot be searched: ${named.join('; ')}${more}`,
    {
      data: { problems: problems.map((problem) => ({ ...problem })) },
    },
  );
}
