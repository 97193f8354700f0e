import { type KnowledgeSources, type PreparedKnowledge, prepareKnowledge } from '../app/knowledge/prepare-knowledge.js';
import { knowledgeSite } from '../app/storage/knowledge-site.js';
import type { KnowledgeBase } from '../domain/knowledge.js';
import { createGate } from '../lib/gate.js';
import { createClock } from '../system/clock.js';
import { pdfPages } from '../system/pdf-pages.js';
import type { BootSession } from './open-session.js';

/** What documents are read with, beside the files. */
export type DocumentReader = Pick<KnowledgeSources, 'pdfPages' | 'cache'>;

/**
 * One that remembers the digests of files that are left alone, and reads one PDF after another:
 * what each of them may take is taken once.
 */
export function openDocuments(): DocumentReader {
  const oneAtATime = createGate(1);
  return { pdfPages: (bytes) => oneAtATime(() => pdfPages(bytes)), cache: { clock: createClock(), known: new Map() } };
}

/**
 * Reads the documents that a run of this session may search. Throws KIT_KNOWLEDGE_INVALID,
 * KIT_STORE_UNAVAILABLE.
 */
export async function prepareSessionKnowledge(
  session: Pick<BootSession, 'workspace' | 'storageEnvironment'>,
  sources: Pick<KnowledgeSources, 'files'> & DocumentReader,
  bases: readonly KnowledgeBase[],
): Promise<PreparedKnowledge> {
  const { workspace, storageEnvironment } = session;
  for (const base of bases) knowledgeSite(workspace.storage, storageEnvironment, base);
  return prepareKnowledge({ ...sources, root: workspace.root }, bases);
}
