import type { AccessEntry } from '@kit-run/kit/command';
import type { Log } from '@kit-run/kit/plugin';

/** Entries are written together, this long after the first of them. */
const FLUSH_AFTER_MS = 250;
/** A store that is away for longer costs entries, not memory. */
const MAX_WAITING = 10_000;
const MAX_BATCH = 500;

/** Takes entries without making anybody wait. */
export interface AccessLog {
  add(entry: AccessEntry): void;
  /** Writes what waits, and resolves when it is written or has failed. */
  flush(): Promise<void>;
}

/** The access log is best effort: what cannot be written is counted in a log line and gone. */
export function createAccessLog(write: (entries: readonly AccessEntry[]) => Promise<void>, log: Log): AccessLog {
  const waiting: AccessEntry[] = [];
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH);
      try {
        await write(batch);
      } catch (error) {
        lost += batch.length;
        log.warn('entries of the access log are lost', { entries: batch.length, error });
      }
    }
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeAll);
    return writing;
  };

  return {
    add: (entry) => {
      if (waiting.length >= MAX_WAITING) {
        lost += 1;
        if (lost % MAX_WAITING === 1) log.warn('the access log is full; entries are lost', { lost });
        return;
      }
      waiting.push(entry);
      timer ??= setTimeout(() => void flush(), FLUSH_AFTER_MS).unref();
    },
    flush,
  };
}
