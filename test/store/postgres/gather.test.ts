import { expect, it } from 'vitest';
import type { WriteRequest } from '../../../src/store/postgres/attempt-group.js';
import { FollowedLogs } from '../../../src/store/postgres/followed-logs.js';
import { LOCK_JOB, LOCK_JOBS } from '../../../src/store/postgres/sql/jobs.js';
import type { SqlParams, SqlRunner } from '../../../src/store/postgres/sql-runner.js';
import type { Transaction } from '../../../src/store/postgres/transaction.js';
import { WriteQueue } from '../../../src/store/postgres/write-queue.js';
import type { Writer } from '../../../src/store/postgres/writer.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A queue over a server that takes everything; its pauses end when the test says so. */
function openQueue() {
  let commits = 0;
  const asked: string[] = [];
  const ask = (what: string): void => void asked.push(what);
  const pauses: (() => void)[] = [];
  const sql: SqlRunner = {
    run: async () => 0,
    get: async <Row>(statement: string, { jobId }: SqlParams = {}) => {
      if (statement === LOCK_JOB) ask(`lock ${String(jobId)} alone`);
      // What begins a transaction is all else that is asked.
      return { now: '2026-01-02T03:04:05.000Z', xid: '1', log_id: 'log' } as Row;
    },
    all: async <Row>(statement: string, { jobIds }: SqlParams = {}) => {
      if (statement !== LOCK_JOBS) return [];
      ask(`lock ${String(jobIds)}`);
      return (jobIds as readonly string[]).map((id) => ({ id, worker_id: 'w', attempt: 1, status: 'running' }) as Row);
    },
    exec: async () => [],
    commit: async (statements) => {
      commits += 1;
      ask(`commit${statements.map((one) => ` ${one.sql}`).join('')}`);
    },
  };
  const connection = async () => ({
    sql,
    era: { started: '', processes: [], pid: 1, since: null },
    logs: new FollowedLogs(new Map()),
  });
  const queue = new WriteQueue({
    // Of a writer the queue asks for its connection alone.
    writer: { connection } as unknown as Writer,
    logId: 'log',
    faults: { hit: () => undefined },
    pacing: {
      nowMs: () => 0,
      random: () => 0,
      nextTurn: async () => undefined,
      sleep: () => new Promise((resolve) => pauses.push(resolve)),
    },
    behind: () => null,
    onCommit: () => undefined,
    busyLimitMs: 1,
  });
  return {
    write: (over: Partial<WriteRequest<unknown>> = {}) =>
      queue.run<unknown>({ writes: [], jobs: [], work: () => undefined, ...over }),
    asked,
    pauses,
    commits: () => commits,
  };
}

it('waits a moment after a commit that many shared: what it let go on shares the next one', async () => {
  const { write, pauses, commits } = openQueue();
  await Promise.all(Array.from({ length: 6 }, write));
  const again: Promise<unknown>[] = [];
  for (let n = 0; n < 6; n += 1) {
    again.push(write());
    await turn();
  }
  expect([commits(), pauses.length]).toEqual([1, 1]);

  pauses[0]?.();
  await Promise.all(again);
  expect(commits()).toBe(2);
});

it('never waits after a commit of few', async () => {
  const { write, pauses, commits } = openQueue();
  for (let n = 0; n < 3; n += 1) await Promise.all([write(), write()]);

  expect([commits(), pauses.length]).toEqual([3, 0]);
});

it('lets whoever takes runs off the queue come behind what shares its commit, which is asked nothing again', async () => {
  const { write, asked } = openQueue();
  const fenced = (jobId: string): Partial<WriteRequest<unknown>> => ({
    jobs: [jobId],
    work: async (tx) => ask(tx, jobId),
  });
  const ask = async (tx: Transaction, jobId: string): Promise<void> => {
    expect(await tx.fenced({ jobId, workerId: 'w', attempt: 1 })).toMatchObject({ id: jobId });
  };
  await Promise.all([
    write(fenced('a')),
    write({
      place: 'last',
      work: (tx) => tx.last({ op: 'setJobs', sql: 'claim', params: {}, again: { sql: '', params: {} } }),
    }),
    write(fenced('b')),
    write({ place: 'first', work: async () => void asked.push('first') }),
  ]);

  expect(asked).toEqual(['lock a,b', 'first', 'commit claim']);
});
