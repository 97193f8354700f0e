import type { KnowledgeStore } from '../domain/ports/knowledge.js';

/**
 * Knowledge bases, their code loaded when they are first asked for: every module costs time at each
 * start.
 */
export function lazyKnowledge(load: () => Promise<KnowledgeStore>): KnowledgeStore {
  let loading: Promise<KnowledgeStore> | undefined;
  const store = (): Promise<KnowledgeStore> => (loading ??= load());
  return {
    known: async (documents) => (await store()).known(documents),
    putDocument: async (document) => (await store()).putDocument(document),
    putIndex: async (index) => (await store()).putIndex(index),
    find: async (index, ask) => (await store()).find(index, ask),
  };
}
