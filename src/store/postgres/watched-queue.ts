import { createWriteTrouble, type WriteTrouble } from '../write-trouble.js';
import type { WriteRequest } from './attempt-group.js';
import { WriteQueue } from './write-queue.js';

/** Changes nothing, and is written all the same. */
const PROBE = "UPDATE store_meta SET value = value WHERE key = 'log_id'";

/** The queue, with what its last write said of the database. */
export class WatchedQueue extends WriteQueue {
  readonly #trouble: WriteTrouble = createWriteTrouble();

  override run<T>(request: WriteRequest<T>): Promise<T> {
    return this.#trouble.watch(super.run(request));
  }

  readonly writing = {
    trouble: this.#trouble.code,
    probe: async (): Promise<void> => {
      await this.run({ writes: [], jobs: [], work: (transaction) => transaction.run(PROBE, {}) });
    },
  };
}
