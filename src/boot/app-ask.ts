import type { AskApp } from '../app/ask/ask-app.js';
import type { Runs } from './parts.js';

/** Wires questions in words; what answers is a run like any other. */
export async function openAsk(runs: Pick<Runs, 'app' | 'session' | 'observe'>): Promise<AskApp> {
  const [{ createAskApp }, { openStores }] = await Promise.all([
    import('../app/ask/create-ask-app.js'),
    runs.observe(),
  ]);
  return createAskApp({
    loadWorkspace: async (workspace) => (await runs.session(workspace)).workspace,
    openStores,
    execute: async (start) => (await runs.app.start(start)).done,
  });
}
