import type { ServingStore } from '../domain/ports/serving.js';
import { lazily } from '../lib/lazily.js';

/**
 * What servers keep, its code loaded when it is first asked for: a run has no use for it, and every
 * module costs time at each start.
 */
export function lazyServing(load: () => Promise<ServingStore>): ServingStore {
  let loading: Promise<ServingStore> | undefined;
  const serving = (): Promise<ServingStore> => (loading ??= load());
  return lazily(serving, {
    canary: lazily(async () => (await serving()).canary),
    conversations: lazily(async () => (await serving()).conversations),
    fleet: lazily(async () => (await serving()).fleet),
  });
}
