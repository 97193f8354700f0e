import type { DurableWrite } from '../fault-points.js';
import type { SqlRunner } from './sql-runner.js';
import { asUnwritable } from './unwritable.js';

/**
 * Synchronous work inside the shared transaction. It throws to refuse: its own changes are undone,
 * its neighbours' stay.
 */
export type Work<T> = (sql: SqlRunner, memo: WriterMemo) => T;

/**
 * What one entry knows of the file and a later one need not ask again. It outlives no refusal, no
 * failed commit, no commit of another connection, and no write that could change what it says of
 * another run; what its own run's end or park makes untrue, an entry removes.
 */
export type WriterMemo = Map<string, unknown>;

export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

export const runBare = (sql: SqlRunner, work: Work<unknown>, memo: WriterMemo): Outcome => ({
  ok: true,
  value: work(sql, memo),
});

/** Throws `error` when the whole transaction is gone (a full disk or a broken one): it says why. */
function undoEntry(sql: SqlRunner, error: unknown): void {
  try {
    sql.run('ROLLBACK TO entry', {});
    sql.run('RELEASE entry', {});
  } catch {
    throw error;
  }
}

/** Its own changes are undone when it throws, and its neighbours' stay. */
export function runInSavepoint(sql: SqlRunner, work: Work<unknown>, memo: WriterMemo): Outcome {
  sql.run('SAVEPOINT entry', {});
  try {
    const value = work(sql, memo);
    sql.run('RELEASE entry', {});
    return { ok: true, value };
  } catch (error) {
    memo.clear();
    undoEntry(sql, error);
    return { ok: false, error: asUnwritable(error) };
  }
}

/**
 * The journal of a run changes nothing but its own rows; an insert makes a row that nobody has
 * looked at, and a heartbeat moves the end of a lease that stays; what servers keep is not part of
 * a run. A stop, a takeover or a release changes what holds for a run that others may have looked
 * at.
 */
export const leavesOthers = (write: DurableWrite): boolean =>
  /^(run|serving)\./.test(write) || write === 'job.insert' || write === 'job.heartbeat';
