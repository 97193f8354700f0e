import { RunUsage } from '../run-usage.js';
import { type KnownRun, newLog } from './followed-logs.js';
import { lockJobs, type StartFacts } from './locked-jobs.js';
import { movedIn } from './moved-in.js';
import { NotTogether } from './not-together.js';
import { HOLD_JOBS } from './sql/jobs.js';
import { BEGIN_WRITE, LOCK_QUEUE, START_FACTS } from './sql/session.js';
import type { LastStatement, SqlRunner } from './sql-runner.js';
import { Transaction } from './transaction.js';
import type { TransactionParts } from './transaction-parts.js';

/**
 * Begins, asks for the time, locks: one round trip. Throws KIT_STORE_UNAVAILABLE where another
 * store has been moved here since.
 */
export async function begin(parts: TransactionParts): Promise<Transaction> {
  const { sql, logs } = parts;
  const [, facts, locked] = await Promise.all([
    sql.exec(BEGIN_WRITE),
    sql.get<StartFacts>(START_FACTS),
    lockJobs(sql, parts.jobIds),
    parts.locksQueue ? sql.run(LOCK_QUEUE) : null,
  ]);
  if (facts === undefined) throw new Error('the server told no time');
  if (facts.log_id !== parts.logId) throw movedIn();
  const ends = new Map(locked.ends.map((end) => [end.job_id, end]));
  const runs = locked.jobs.map((row): KnownRun => {
    const end = ends.get(row.id);
    const isRolledBack = logs.isRolledBack(row, end ?? newLog());
    if (end === undefined) return { row, log: newLog(), isRolledBack };
    const { seq, hash, has_called: hasCalled } = end;
    const used = logs.take(row.id, { seq, hash }) ?? (hasCalled ? null : new RunUsage());
    return { row, log: { seq, hash, used }, isRolledBack };
  });
  return new Transaction(parts, facts, runs);
}

/**
 * Nothing is sent before COMMIT, and then all at once: one round trip. What is known of the runs is
 * taken as it was left, and COMMIT comes behind a statement that locks their rows and fails where
 * one of them is no longer so. Whoever asks the server anything within it gets NotTogether. Null
 * where not all of the runs are known.
 */
export function presume(parts: TransactionParts): Transaction | null {
  const runs = parts.logs.takeKnown(parts.jobIds);
  return runs === null ? null : new Transaction({ ...parts, sql: presuming(parts, runs) }, NOTHING_ASKED, runs);
}

const NOTHING_ASKED: StartFacts = {
  get now(): string {
    throw new NotTogether();
  },
  get xid(): string {
    throw new NotTogether();
  },
  log_id: null,
};

const refused = (): Promise<never> => Promise.reject(new NotTogether());

function presuming({ sql, logId, locksQueue }: TransactionParts, runs: readonly KnownRun[]): SqlRunner {
  const rows = runs.map(({ row }) => row).sort((a, b) => (a.id < b.id ? -1 : 1));
  const holds: LastStatement = {
    sql: HOLD_JOBS,
    params: {
      jobIds: rows.map(({ id }) => id),
      workerIds: rows.map(({ worker_id: workerId }) => workerId),
      attempts: rows.map(({ attempt }) => attempt),
      rows: rows.length,
      logId,
    },
  };
  return {
    run: refused,
    get: refused,
    all: refused,
    exec: refused,
    commit: async (statements, behind) => {
      // Where this fails, so do all writes behind it: outside of it the connection only reads.
      const locks = locksQueue ? [holds, { sql: LOCK_QUEUE, params: {} }] : [holds];
      const answers = await Promise.allSettled([sql.exec(BEGIN_WRITE), sql.commit([...locks, ...statements], behind)]);
      for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    },
  };
}
