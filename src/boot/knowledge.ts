import { type KnowledgeSources, type PreparedKnowledge, prepareKnowledge } from '../app/knowledge/prepare-knowledge.js';
import { knowledgeSite } from '../app/storage/knowledge-site.js';
import type { KnowledgeBase } from '../domain/knowledge.js';
import type { DocumentReader } from './open-documents.js';
import type { BootSession } from './parts.js';

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
