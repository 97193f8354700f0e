import { type KnowledgeSources, type PreparedKnowledge, prepareKnowledge } from '../app/knowledge/prepare-knowledge.js';
import { knowledgeSite } from '../app/storage/knowledge-site.js';
import type { KnowledgeBase } from '../domain/knowledge.js';
import type { BootSession } from './open-session.js';

/** Reads the documents that a run of this session may search. Throws KIT_KNOWLEDGE_INVALID, KIT_STORE_UNAVAILABLE. */
export async function prepareSessionKnowledge(
  of: Pick<KnowledgeSources, 'files' | 'cache'> & { readonly session: Pick<BootSession, 'workspace' | 'storageEnvironment'> },
  bases: readonly KnowledgeBase[],
): Promise<PreparedKnowledge> {
  const { session, files, cache } = of;
  const { workspace, storageEnvironment } = session;
  for (const base of bases) knowledgeSite(workspace.storage, storageEnvironment, base);
  const pdfPages: KnowledgeSources['pdfPages'] = async (bytes) => (await import('../system/pdf-pages.js')).pdfPages(bytes);
  return prepareKnowledge({ files, root: workspace.root, cache, pdfPages }, bases);
}
