import { isKitError, KitError, messageOf } from '../../domain/errors.js';
import type { Fence } from '../../domain/job.js';
import { asServerTrouble } from './server-trouble.js';

/**
 * How long trouble that passes by itself is waited for: a lock, a deadlock, a server that is
 * starting again (as in SQLite).
 */
export const BUSY_LIMIT_MS = 10_000;

/**
 * SQLSTATE of an error that the server reported; null for any other. What the system reports
 * (EPIPE) has a name of the same form, and a call.
 */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error && !('syscall' in error) ? error.code : null;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/**
 * serialization_failure, deadlock_detected, lock_not_available, query_canceled (statement_timeout):
 * the same again may go through.
 */
const PASSING = new Set(['40001', '40P01', '55P03', '57014']);
const TOO_SLOW = '57014';

export const isBusy = (error: unknown): boolean => PASSING.has(sqlState(error) ?? '');

/**
 * Another transaction stands in the way, and will be over: that is about it, not about what was
 * asked.
 */
const isLockWait = (error: unknown): boolean => isBusy(error) && sqlState(error) !== TOO_SLOW;

/**
 * idle_in_transaction_session_timeout, admin_shutdown, crash_shutdown, cannot_connect_now,
 * database_dropped.
 */
const ENDS_CONNECTION = new Set(['25P03', '57P01', '57P02', '57P03', '57P04', '57P05']);
/**
 * read_only_sql_transaction, and feature_not_supported, which is what a standby says to a
 * transaction that is to write: the server that this connection leads to is no longer the one that
 * takes writes (a failover), and another connection may lead to the one that does.
 */
const NO_LONGER_PRIMARY = new Set(['25006', '0A000']);
const SOCKET_CODES = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'ENOENT',
]);

/**
 * The connection is gone, or none could be made. What its transaction did is undone, unless its
 * COMMIT was already on the way.
 */
export function isLost(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return state.startsWith('08') || ENDS_CONNECTION.has(state) || NO_LONGER_PRIMARY.has(state);
  // What kit itself has said of it is judged by its cause.
  if (!(error instanceof Error) || isKitError(error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    SOCKET_CODES.has(code) ||
    /^Connection terminated|connection error and is not queryable|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client was closed/i.test(
      error.message,
    )
  );
}

/** What is wrong with a statement or its values, not with the server: data, integrity, syntax. */
const OWN_FAULTS = ['22', '23', '42'];
/** insufficient_privilege is of class 42, and a matter of the server's settings. */
export const NO_RIGHT = '42501';

/** insufficient_resources: a full disk, no memory, too many connections. */
const NO_ROOM = '53';

/**
 * What a server says to a new connection and to no statement: class 28 (a password that was
 * changed), invalid_catalog_name (a database that was renamed).
 */
const isTurnedAway = (state: string): boolean => state.startsWith('28') || state === '3D000';

/**
 * What a statement is given up with once the store is open. What a server says of itself has words
 * and a way on of its own (server-trouble.ts). A lock that nobody lets go of is
 * KIT_STORE_BUSY; a connection that is gone or cannot be made, a server that is starting or
 * stopping, is full, takes no writes or turns kit away is KIT_STORE_UNAVAILABLE. Both say nothing
 * of the statement. Anything else is the answer of a living server to this statement: what is wrong
 * with its values is told as it is, and the rest (a limit of the program, an exception of a
 * trigger, an internal error, a statement that takes too long, a right that was taken back) is
 * KIT_STORE_REFUSED, which the same statement will most likely meet again.
 */
export function asGivenUp(error: unknown): unknown {
  const state = sqlState(error);
  const trouble = asServerTrouble(error, state);
  if (trouble !== null) return trouble;
  if (isLockWait(error)) return storeBusy(error);
  if (isLost(error) || (state !== null && (state.startsWith(NO_ROOM) || isTurnedAway(state))))
    return unavailable(`the store cannot be used: ${messageOf(error)}`, error);
  if (state === null || (state !== NO_RIGHT && OWN_FAULTS.some((fault) => state.startsWith(fault)))) return error;
  return new KitError('KIT_STORE_REFUSED', `the store refused a statement: ${messageOf(error)}`, {
    cause: error,
    data: { sqlstate: state },
  });
}

/**
 * A server that is gone, full or read-only, or a role that may not: nothing was written, and
 * somebody has to look.
 */
export function asUnwritable(error: unknown): unknown {
  const state = sqlState(error);
  const trouble = asServerTrouble(error, state);
  if (trouble !== null) return trouble;
  if (state === null && !isLost(error)) return error;
  if (state !== null && state !== NO_RIGHT && OWN_FAULTS.some((fault) => state.startsWith(fault))) return error;
  return unavailable(`the store cannot be used: ${messageOf(error)}`, error);
}

/**
 * What a store was refused for when it was opened, with the place and the setting that a person has
 * to look at.
 */
export function refusedAt(
  error: unknown,
  { location, setting }: { readonly location: string; readonly setting: string },
): unknown {
  if (sqlState(error) === NO_RIGHT) {
    return unavailable(
      `${location}: the role may not do what kit needs: ${messageOf(error)}`,
      error,
      `Let the role create a schema (GRANT CREATE ON DATABASE), make it the owner of the schema kit, or name another role in ${setting}.`,
    );
  }
  const trouble = asUnwritable(error);
  if (!isKitError(trouble) || `${trouble.message} ${trouble.hint ?? ''}`.includes(setting)) return trouble;
  const { code, message, hint, data } = trouble;
  return new KitError(code, `${location}: ${message}`, {
    hint: `${hint ?? ''} The setting is ${setting}.`.trim(),
    data: { ...data, setting },
    cause: trouble.cause ?? error,
  });
}

export const storeBusy = (cause: unknown): KitError =>
  new KitError('KIT_STORE_BUSY', `another process has held the store for ${BUSY_LIMIT_MS / 1000} s`, { cause });

export const unavailable = (message: string, cause: unknown, hint?: string): KitError =>
  new KitError('KIT_STORE_UNAVAILABLE', message, {
    cause,
    ...(hint === undefined ? {} : { hint }),
    data: { sqlstate: sqlState(cause) },
  });

/**
 * The connection broke while the commit was on its way and nobody could be asked what became of it.
 */
export const outcomeUnknown = (cause: unknown): KitError =>
  unavailable(
    'the connection to the store broke during a commit: it may or may not have been written',
    cause,
    'Resume the run: it goes on from what was written.',
  );

/**
 * A failover to a replica that had not been sent all, or a restored server: what the run did last
 * is in no journal, and what it does next must not stand there without it.
 */
export const rolledBack = ({ jobId }: Fence): KitError => {
  const message = `the database has lost what run ${jobId} has written to it: it was restored, or a replica took its place`;
  return unavailable(message, new Error(message), 'The run goes on from what the database holds.');
};

/**
 * Trouble that ends by itself: another try may go through. An open that failed counts: the server
 * may be starting again.
 */
export const isPassing = (error: unknown): boolean =>
  isBusy(error) || isLost(error) || isLost(error instanceof Error ? error.cause : null);
