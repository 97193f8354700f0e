import { expect, it } from 'vitest';
import { FollowedLogs } from '../../../src/store/postgres/followed-logs.js';
import type { SqlRunner } from '../../../src/store/postgres/sql-runner.js';
import { WriteQueue } from '../../../src/store/postgres/write-queue.js';
import type { Writer } from '../../../src/store/postgres/writer.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A queue over a server that takes everything; its pauses end when the test says so. */
function openQueue() {
  let commits = 0;
  const pauses: (() => void)[] = [];
  const sql: SqlRunner = {
    run: async () => 0,
    // What begins a transaction is all that is asked.
    get: async <Row>() => ({ now: '2026-01-02T03:04:05.000Z', xid: '1', log_id: 'log' }) as Row,
    all: async () => [],
    exec: async () => [],
    commit: async () => {
      commits += 1;
    },
  };
  const connection = async () => ({ sql, era: { started: '', processes: [] }, logs: new FollowedLogs() });
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
    onCommit: () => undefined,
    busyLimitMs: 1,
  });
  return {
    write: () => queue.run({ writes: [], jobs: [], work: () => undefined }),
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
