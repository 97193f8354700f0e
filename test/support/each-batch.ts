import type { Fence } from '../../src/domain/job.js';
import type { RunWrite } from '../../src/domain/journal.js';
import type { RunStore } from '../../src/domain/ports/stores.js';

export type CommitOne = (fence: Fence, writes: readonly RunWrite[]) => Promise<void>;

/**
 * A `commit` for whoever looks at each batch by itself: those that are handed in together go on one
 * after another, in one turn, as calls of their own.
 */
export const eachBatch =
  (commit: CommitOne): RunStore['commit'] =>
  async (fence, ...batches) => {
    await Promise.all(batches.map((writes) => commit(fence, writes)));
  };
