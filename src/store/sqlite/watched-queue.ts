import { statfs } from 'node:fs/promises';
import { KitError } from '../../domain/errors.js';
import { createWriteTrouble, type WriteTrouble } from '../write-trouble.js';
import type { Outcome } from './entry-work.js';
import type { SqlRunner } from './sql-runner.js';
import { WriteQueue, type WriteQueueDeps } from './write-queue.js';

/** Changes nothing, and is written all the same. */
const PROBE = "UPDATE store_meta SET value = value WHERE key = 'log_id'";

/**
 * What a run takes at least. SQLite writes a few pages where there is room for none: into what an
 * earlier checkpoint left of its log.
 */
const ROOM_BYTES = 256 * 1024;

/** Takes room and leaves it, in two commits: of one, pages that are free again are not written. */
const TAKE_ROOM = `INSERT INTO store_meta (key, value) VALUES ('room', hex(zeroblob(${ROOM_BYTES / 2})))
ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
const LEAVE_ROOM = "DELETE FROM store_meta WHERE key = 'room'";

interface Watched extends WriteQueueDeps {
  /** Where the file lies. */
  readonly directory: string;
}

/** The queue, with what its last write said of the file. */
export class WatchedQueue extends WriteQueue {
  readonly #trouble: WriteTrouble = createWriteTrouble();
  readonly #watched: Watched;

  constructor(watched: Watched) {
    super(watched);
    this.#watched = watched;
  }

  protected override heard(outcome: Outcome): void {
    if (outcome.ok) this.#trouble.onDone();
    else this.#trouble.onFailed(outcome.error);
  }

  readonly writing = {
    trouble: this.#trouble.code,
    probe: async (): Promise<void> => {
      const full = await this.#lacksRoom();
      if (full !== null) {
        this.#trouble.onFailed(full);
        throw full;
      }
      await this.#write(PROBE);
      if (this.#trouble.code() !== 'KIT_STORE_FULL') return;
      // Of a quota the system tells nothing before something is written.
      await this.#write(TAKE_ROOM);
      await this.#write(LEAVE_ROOM);
      this.#trouble.onRoom();
    },
  };

  async #write(statement: string): Promise<void> {
    await this.run([], (sql: SqlRunner) => sql.run(statement, {}));
  }

  /** By the limit of the file, and by what the system says of the disk; null: there is room. */
  async #lacksRoom(): Promise<KitError | null> {
    const { sql, directory } = this.#watched;
    const pages = (name: string): number => Number(sql.pragma(name));
    const left = pages('max_page_count') - pages('page_count') + pages('freelist_count');
    if (left * pages('page_size') < ROOM_BYTES)
      return new KitError('KIT_STORE_FULL', 'the store has no room: its file has as many pages as it may have');
    // A disk that cannot be asked is judged by what is written.
    const disk = await statfs(directory).catch(() => null);
    if (disk === null) return null;
    const blocks = process.getuid?.() === 0 ? disk.bfree : disk.bavail;
    return blocks * disk.bsize < ROOM_BYTES
      ? new KitError('KIT_STORE_FULL', 'the store has no room: its disk is full')
      : null;
  }
}
