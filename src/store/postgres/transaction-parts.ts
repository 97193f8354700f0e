import type { FollowedLogs } from './followed-logs.js';
import type { SqlRunner } from './sql-runner.js';

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
  /**
   * One statement for each write, which says of it alone whether it was done, and a look at each
   * event id before it is given a number. Else writes are held, and a group in which one of them
   * cannot be done is done again singly.
   */
  readonly singly: boolean;
}
