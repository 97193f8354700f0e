import { keepNewest } from '../../lib/keep-newest.js';
import type { ChainEnd } from '../event-row.js';
import type { RunUsage } from '../run-usage.js';

/** The end of the log of a run, and what all of it used; null: not all of it was seen here. */
export interface FollowedLog extends ChainEnd {
  readonly used: RunUsage | null;
}

/** More runs than this at once are counted from their logs again. */
const MAX_LOGS = 4096;

/**
 * Logs that this process has written from their beginning: what such a run used need not be read in
 * its log when it ends. A transaction takes what it goes on with, and gives back what it has
 * committed; what somebody else has written to meanwhile has another end, and is forgotten.
 */
export class FollowedLogs {
  readonly #logs = new Map<string, FollowedLog>();

  /** What is known of a log that ends there. */
  take(jobId: string, end: ChainEnd): RunUsage | null {
    const log = this.#logs.get(jobId);
    this.#logs.delete(jobId);
    return log?.seq === end.seq && log.hash === end.hash ? log.used : null;
  }

  keep(jobId: string, log: FollowedLog): void {
    if (log.used !== null) keepNewest(this.#logs, MAX_LOGS, [jobId, log]);
  }
}
