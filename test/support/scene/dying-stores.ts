import { KitError } from '../../../src/domain/errors.js';
import type { RunWrite } from '../../../src/domain/journal.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { eachBatch } from '../each-batch.js';

/**
 * Stores of a process that dies right after the first write which `isLast` names: nothing that
 * comes later is kept.
 */
export function dyingStores(isLast: (write: RunWrite) => boolean): (stores: Stores) => Stores {
  let isDead = false;
  const refuse = () => Promise.reject(new KitError('KIT_LEASE_LOST', 'this process is dead'));
  return (stores) => ({
    jobs: stores.jobs,
    events: stores.events,
    blobs: stores.blobs,
    backend: stores.backend,
    artifacts: stores.artifacts,
    reviews: stores.reviews,
    remoteWaits: stores.remoteWaits,
    serving: stores.serving,
    memory: stores.memory,
    knowledge: stores.knowledge,
    prompts: stores.prompts,
    sealed: stores.sealed,
    retention: stores.retention,
    writing: stores.writing,
    location: stores.location,
    close: () => stores.close(),
    runs: {
      load: (jobId) => stores.runs.load(jobId),
      produced: (jobId) => stores.runs.produced(jobId),
      prune: (request) => stores.runs.prune(request),
      commit: eachBatch(async (fence, writes) => {
        if (isDead) return refuse();
        const last = writes.findIndex(isLast);
        if (last < 0) return stores.runs.commit(fence, writes);
        isDead = true;
        await stores.runs.commit(fence, writes.slice(0, last + 1));
        return refuse();
      }),
    },
  });
}
