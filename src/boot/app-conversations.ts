import type { ConversationsApp } from '../app/conversations/conversations-app.js';
import type { Runs } from './parts.js';

/** Wires the use cases around conversations. */
export async function openConversations(runs: Pick<Runs, 'session' | 'observe' | 'serve'>): Promise<ConversationsApp> {
  const [{ createConversationsApp }, { ids }, { openStores }] = await Promise.all([
    import('../app/conversations/create-conversations-app.js'),
    runs.serve(),
    runs.observe(),
  ]);
  return createConversationsApp({
    ids,
    loadWorkspace: async (workspace) => (await runs.session(workspace)).workspace,
    openStores: async (workspace) => (await runs.session(workspace)).openStores(),
    openExisting: openStores,
  });
}
