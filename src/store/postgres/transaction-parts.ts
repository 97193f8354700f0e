import type { FollowedLogs } from './followed-logs.js';
import type { SqlRunner } from './sql-runner.js';

/**
 * How a group is carried out. `presumed`: at once with COMMIT, on what is known of its runs.
 * `together`: after a first round trip that locks them. In both, writes are held, and a group in
 * which one of them cannot be done is done again. `singly`: one statement for each write, which
 * says of it alone whether it was done, and a look at each event id before it is given a number.
 */
export type Way = 'presumed' | 'together' | 'singly';

/** What a transaction begins with. */
export interface TransactionParts {
  readonly sql: SqlRunner;
  readonly logs: FollowedLogs;
  /** Names the log that was here when the store was opened. */
  readonly logId: string;
  /** Jobs whose rows are locked before anything else. */
  readonly jobIds: readonly string[];
  /**
   * Nobody else admits runs until the commit. Locked before any entry's work, so that two groups
   * never wait for each other.
   */
  readonly locksQueue: boolean;
  readonly way: Way;
}
