import type { ProcessHooks, WorkingProcess } from '../../../src/app/work/working-process.js';

const nothing = async (): Promise<void> => undefined;

/** Hooks around a process that do nothing. */
export const QUIET_HOOKS: ProcessHooks = { onOpen: nothing, onStart: nothing, onDrain: nothing, onStop: nothing };

/** A server of nobody. */
export const SERVER: WorkingProcess = {
  id: 'host:1:a',
  kind: 'server',
  workspace: '/w',
  jobClass: 'any',
  concurrency: () => 1,
  active: () => 0,
  offers: async () => ({ plugins: {}, adapters: {} }),
};
