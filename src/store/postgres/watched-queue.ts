import { createWriteTrouble, isFull, type WriteTrouble } from '../write-trouble.js';
import type { WriteRequest } from './attempt-group.js';
import { WriteQueue } from './write-queue.js';

/** Changes nothing, and is written all the same. */
const PROBE = "UPDATE store_meta SET value = value WHERE key = 'log_id'";

/**
 * A file of its own, of 64 KiB, that ends with the transaction. The statement above finds a place
 * where there is no room for a run.
 */
const TAKE_ROOM = `CREATE TEMPORARY TABLE kit_room ON COMMIT DROP AS
SELECT string_agg(md5(random()::text), '') AS text FROM generate_series(1, 2048)`;

/** The queue, with what its last write said of the database. */
export class WatchedQueue extends WriteQueue {
  readonly #trouble: WriteTrouble = createWriteTrouble();

  override run<T>(request: WriteRequest<T>): Promise<T> {
    return this.#trouble.watch(super.run(request));
  }

  readonly writing = {
    trouble: this.#trouble.code,
    probe: async (): Promise<void> => {
      await this.#write(PROBE);
      if (this.#trouble.code() !== 'KIT_STORE_FULL') return;
      try {
        await this.#write(TAKE_ROOM);
      } catch (error) {
        // Who may make no temporary table is told by the next run.
        if (isFull(error)) throw error;
      }
      this.#trouble.onRoom();
    },
  };

  async #write(statement: string): Promise<void> {
    await this.run({ writes: [], jobs: [], work: (transaction) => transaction.run(statement, {}) });
  }
}
