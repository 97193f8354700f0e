import type { DurableWrite } from '../fault-points.js';
import { createWriteTrouble, type WriteTrouble } from '../write-trouble.js';
import type { Work } from './entry-work.js';
import type { SqlRunner } from './sql-runner.js';
import { WriteQueue } from './write-queue.js';

/** Changes nothing, and is written all the same. */
const PROBE = "UPDATE store_meta SET value = value WHERE key = 'log_id'";

/** The queue, with what its last write said of the file. */
export class WatchedQueue extends WriteQueue {
  readonly #trouble: WriteTrouble = createWriteTrouble();

  override run<T>(writes: readonly DurableWrite[], work: Work<T>): Promise<T> {
    return this.#trouble.watch(super.run(writes, work));
  }

  readonly writing = {
    trouble: this.#trouble.code,
    probe: async (): Promise<void> => {
      await this.run([], (sql: SqlRunner) => sql.run(PROBE, {}));
    },
  };
}
