import { KitError } from '../../domain/errors.js';
import type { Log } from '../../domain/ports/system.js';
import type { Pacing } from '../pacing.js';
import { isBusy } from './failures.js';
import { BEGIN, LOCK_MIGRATION } from './sql/session.js';
import type { SqlRunner } from './sql-runner.js';

/**
 * A migration may take as long as it needs; who waits for its turn waits for all of one. `idleMs`:
 * how long the process may think.
 */
const beginMigrationOf = ({ turnMs, idleMs }: { readonly turnMs: number; readonly idleMs: number }): string =>
  `${BEGIN}; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${turnMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`;
const TAKE_TURN = LOCK_MIGRATION;

/** Without store_meta, which every process that starts reads, also one that waits for its turn. */
const KIT_TABLES = `
SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'store_meta' ORDER BY tablename`;

const TRY = 'SAVEPOINT kit_try';
const UNDO_TRY = 'ROLLBACK TO SAVEPOINT kit_try';
/** One statement, so that the limit is of all its tables together. */
const boundedTo = (ms: number): string => `SET LOCAL statement_timeout = ${ms}`;
const UNBOUNDED = 'SET LOCAL statement_timeout = 0';
const takeTablesOf = (names: readonly string[]): string => `LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`;

const MINUTE_MS = 60_000;
/**
 * A process that waits for another one's migration gives up after this: an index of a very large
 * table is built in less.
 */
const TURN_MS = 60 * MINUTE_MS;
/** A wait is reported after this; the ordinary one is shorter. */
const NOTICE_AFTER_MS = 3_000;
/**
 * Above the second after which the server takes a table from its own vacuum, below the two that the
 * writes of running processes wait.
 */
const TABLES_TRY_MS = 1_800;
/** Between two tries the others work on. */
const PAUSE_MS = 3_000;
/**
 * A process that stands still gives up turn and tables after this; above the pause, also on a
 * machine that is busy.
 */
const IDLE_MS = 10_000;
/** Tries go on for this long: a report is over by then, and a dump of a large database not. */
const TABLES_MS = 10 * MINUTE_MS;
/**
 * The driver gives up on no answer to a statement of a migration: the server, which has no limit
 * either, says how it ended.
 */
export const MIGRATION_ANSWER_MS = 24 * 60 * MINUTE_MS;

export interface MigrationLocks {
  readonly sql: SqlRunner;
  readonly pacing: Pick<Pacing, 'nowMs' | 'sleep'>;
  /** Called with why it takes long; absent = nobody is. */
  readonly log?: Pick<Log, 'warn'> | undefined;
}

/**
 * Begins the transaction of a migration, once no other process migrates. Throws KIT_STORE_BUSY when
 * another one has been at it for an hour.
 */
export async function beginMigration({ sql, log }: MigrationLocks): Promise<void> {
  const noticeTimer = setTimeout(
    () => log?.warn('another process brings the store to a newer schema: waiting until it has'),
    NOTICE_AFTER_MS,
  );
  try {
    await sql.exec(beginMigrationOf({ turnMs: TURN_MS, idleMs: IDLE_MS }));
    await sql.exec(TAKE_TURN, MIGRATION_ANSWER_MS);
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new KitError(
      'KIT_STORE_BUSY',
      `another process has been migrating the store for ${TURN_MS / MINUTE_MS} minutes`,
      {
        hint: 'Look at it in pg_stat_activity; try again when it has ended.',
        cause: error,
      },
    );
  } finally {
    clearTimeout(noticeTimer);
  }
}

/**
 * Takes every table for this transaction alone, before anything is changed, so that no later
 * statement has to wait. While such a lock is waited for, whoever comes after it waits too: each
 * try is short, and between two tries the other processes work on. Throws KIT_STORE_BUSY when
 * somebody holds a table for ten minutes.
 */
export async function takeTables({ sql, pacing, log }: MigrationLocks): Promise<void> {
  const names = (await sql.all<{ name: string }>(KIT_TABLES)).map(({ name }) => name);
  const sinceMs = pacing.nowMs();
  for (let nth = 1; ; nth++) {
    const error = await tryTables(sql, names);
    if (error === null) return;
    if (pacing.nowMs() - sinceMs > TABLES_MS) throw heldTooLong(error);
    if (nth === 1)
      log?.warn(
        'the schema of the store is to be made newer, and a transaction holds its tables: trying again until it has ended',
      );
    await pacing.sleep(PAUSE_MS);
  }
}

/** Null once they are taken; else why they are not, with none of them held. */
async function tryTables(sql: SqlRunner, names: readonly string[]): Promise<unknown> {
  await sql.exec(TRY);
  await sql.exec(boundedTo(TABLES_TRY_MS));
  try {
    await sql.exec(takeTablesOf(names));
  } catch (error) {
    if (!isBusy(error)) throw error;
    await sql.exec(UNDO_TRY);
    return error;
  }
  await sql.exec(UNBOUNDED);
  return null;
}

const heldTooLong = (cause: unknown): KitError =>
  new KitError(
    'KIT_STORE_BUSY',
    `a transaction has held the tables of the store for ${TABLES_MS / MINUTE_MS} minutes: its schema stays as it is`,
    {
      hint: 'Wait for the dump or report that reads the schema kit, or end it (pg_stat_activity), and start again.',
      cause,
    },
  );
