import type { ConversationsApp } from '../app/conversations/conversations-app.js';
import type { Runs } from './app-runs.js';

/** Wires the use cases around conversations; every part is imported when it is first used. */
export function createConversations(runs: Pick<Runs, 'session' | 'observe' | 'serve'>): ConversationsApp {
  let built: Promise<ConversationsApp> | undefined;
  const app = (): Promise<ConversationsApp> => (built ??= build(runs));
  return {
    create: async (ask) => (await app()).create(ask),
    list: async (ask) => (await app()).list(ask),
    get: async (ask) => (await app()).get(ask),
    send: async (message) => (await app()).send(message),
  };
}

async function build(runs: Pick<Runs, 'session' | 'observe' | 'serve'>): Promise<ConversationsApp> {
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
