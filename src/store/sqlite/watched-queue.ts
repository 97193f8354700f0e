import { createWriteTrouble, type WriteTrouble } from '../write-trouble.js';
import type { Outcome } from './entry-work.js';
import type { SqlRunner } from './sql-runner.js';
import { WriteQueue } from './write-queue.js';

/** Changes nothing, and is written all the same. */
const PROBE = "UPDATE store_meta SET value = value WHERE key = 'log_id'";

/** The queue, with what its last write said of the file. */
export class WatchedQueue extends WriteQueue {
  readonly #trouble: WriteTrouble = createWriteTrouble();

  protected override heard(outcome: Outcome): void {
    if (outcome.ok) this.#trouble.onDone();
    else this.#trouble.onFailed(outcome.error);
  }

  readonly writing = {
    trouble: this.#trouble.code,
    probe: async (): Promise<void> => {
      await this.run([], (sql: SqlRunner) => sql.run(PROBE, {}));
    },
  };
}
