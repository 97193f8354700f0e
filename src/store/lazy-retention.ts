import type { RetentionStore } from '../domain/ports/retention.js';

/**
 * Removing whole runs, its code loaded when it is first asked for: a run has no use for it, and
 * every module costs time at each start.
 */
export function lazyRetention(load: () => Promise<RetentionStore>): RetentionStore {
  let loading: Promise<RetentionStore> | undefined;
  const store = (): Promise<RetentionStore> => (loading ??= load());
  return {
    plan: async (age) => (await store()).plan(age),
    prune: async (age, onProgress) => (await store()).prune(age, onProgress),
    due: async (age) => (await store()).due(age),
    pruned: async (jobId) => (await store()).pruned(jobId),
  };
}
