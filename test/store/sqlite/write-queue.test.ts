import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultPoints, NO_FAULTS } from '../../../src/domain/faults.js';
import { type Pacing, realPacing } from '../../../src/store/pacing.js';
import { type Connection, openConnection } from '../../../src/store/sqlite/connection.js';
import { WriteQueue } from '../../../src/store/sqlite/write-queue.js';

const INSERT = 'INSERT INTO t (v) VALUES (@v)';

describe('the write queue', () => {
  let directory: string;
  let path: string;
  let writer: Connection;
  let other: Database.Database;
  let commits: number;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kit-queue-'));
    path = join(directory, 'q.sqlite');
    writer = await openConnection({ path, mode: 'write', pacing: realPacing });
    writer.sql.exec('CREATE TABLE t (v TEXT NOT NULL UNIQUE) STRICT');
    other = new Database(path, { timeout: 0 });
    commits = 0;
  });
  afterEach(async () => {
    other.close();
    writer.close();
    await rm(directory, { recursive: true, force: true });
  });

  const queueWith = (over: { pacing?: Partial<Pacing>; faults?: FaultPoints } = {}): WriteQueue =>
    new WriteQueue({
      sql: writer.sql,
      faults: over.faults ?? NO_FAULTS,
      pacing: { ...realPacing, ...over.pacing },
      onCommit: () => (commits += 1),
    });
  const add = (queue: WriteQueue, v: string): Promise<string> =>
    queue.run(['event.append'], (sql) => {
      sql.run(INSERT, { v });
      return v;
    });
  const stored = (): unknown[] => other.prepare('SELECT v FROM t ORDER BY rowid').pluck().all();

  it('puts what arrives together into one commit, in order', async () => {
    // Time stands still: a commit that takes long leaves the file to others.
    const queue = queueWith({ pacing: { nowMs: () => 0 } });

    const values = await Promise.all(Array.from({ length: 50 }, (_, n) => add(queue, `v${n}`)));

    expect(commits).toBe(1);
    expect(stored()).toEqual(values);
  });

  it('undoes what a refused write did and keeps its neighbours', async () => {
    const queue = queueWith();
    const refused = queue.run(['event.append'], (sql) => {
      sql.run(INSERT, { v: 'half' });
      throw new Error('refused');
    });

    const results = await Promise.allSettled([add(queue, 'a'), refused, add(queue, 'b'), add(queue, 'a')]);

    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(commits).toBe(1);
    expect(stored()).toEqual(['a', 'b']);
  });

  it('settles nothing before its commit is durable', async () => {
    const seen: unknown[] = [];
    const queue = queueWith({ faults: { hit: (name) => seen.push([name, stored().length]) } });

    await add(queue, 'a').then(() => seen.push(['settled', stored().length]));

    expect(seen).toEqual([
      ['event.append:before', 0],
      ['event.append:after', 1],
      ['settled', 1],
    ]);
  });

  it('fails every write of a group whose commit fails, and goes on with the next', async () => {
    let isBroken = true;
    const queue = queueWith({
      faults: {
        hit: (name) => {
          if (isBroken && name.endsWith(':before')) throw new Error('no commit');
        },
      },
    });
    const results = await Promise.allSettled([add(queue, 'a'), add(queue, 'b')]);
    isBroken = false;
    await add(queue, 'c');

    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
    expect(stored()).toEqual(['c']);
  });

  it('commits at most 256 writes at a time and leaves the file to others in between', async () => {
    const pauses: number[] = [];
    const queue = queueWith({
      pacing: {
        nowMs: () => 0,
        sleep: async (ms) => {
          pauses.push(ms);
          other.prepare(INSERT).run({ v: `other ${pauses.length}` });
        },
      },
    });

    await Promise.all(Array.from({ length: 600 }, (_, n) => add(queue, `v${n}`)));
    await queue.close();

    expect(commits).toBe(3);
    expect(pauses).toEqual([1, 1, 1]);
    expect(stored()).toHaveLength(603);
  });

  it('ends a group after 10 ms', async () => {
    let nowMs = 0;
    const queue = queueWith({ pacing: { nowMs: () => nowMs } });
    const slow = (v: string): Promise<void> =>
      queue.run(['event.append'], (sql) => {
        nowMs += 4;
        sql.run(INSERT, { v });
      });

    await Promise.all(['a', 'b', 'c', 'd', 'e'].map(slow));

    expect(commits).toBe(2);
  });

  it('waits for the lock of another process without holding up the event loop', async () => {
    const queue = queueWith();
    other.exec('BEGIN IMMEDIATE');
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
      if (turns === 20) other.exec('COMMIT');
    }, 1);

    await add(queue, 'a');
    clearInterval(counting);

    expect(turns).toBeGreaterThanOrEqual(20);
    expect(stored()).toEqual(['a']);
  });

  it('retries after 1 to 5 ms and gives up after 10 s with KIT_STORE_BUSY', async () => {
    let nowMs = 0;
    const pauses: number[] = [];
    const queue = queueWith({
      pacing: {
        nowMs: () => nowMs,
        sleep: async (ms) => {
          pauses.push(ms);
          nowMs += ms;
        },
      },
    });
    other.exec('BEGIN IMMEDIATE');

    await expect(add(queue, 'a')).rejects.toMatchObject({ code: 'KIT_STORE_BUSY' });
    other.exec('COMMIT');
    await add(queue, 'b');

    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...pauses.slice(0, -1))).toBeLessThanOrEqual(5);
    expect(nowMs).toBeGreaterThan(10_000);
    expect(nowMs).toBeLessThan(10_100);
    expect(stored()).toEqual(['b']);
  });

  it('reports a store that cannot be written as read-only', async () => {
    const reader = await openConnection({ path, mode: 'read', pacing: realPacing });
    const queue = new WriteQueue({ sql: reader.sql, faults: NO_FAULTS, pacing: realPacing, onCommit: () => {} });

    await expect(add(queue, 'a')).rejects.toMatchObject({ code: 'KIT_STORE_READ_ONLY' });
    reader.close();
  });

  it('goes on after a full disk', async () => {
    const queue = queueWith();
    await add(queue, 'before');
    const pages = Number(writer.sql.pragma('page_count'));
    writer.sql.pragma(`max_page_count = ${pages + 1}`);

    const results = await Promise.allSettled([add(queue, 'x'.repeat(200_000)), add(queue, 'small')]);
    writer.sql.pragma('max_page_count = 1000000');
    await add(queue, 'after');

    expect(results[0]).toMatchObject({ status: 'rejected', reason: { code: 'KIT_STORE_FULL' } });
    expect(stored()).toEqual(results[1].status === 'fulfilled' ? ['before', 'small', 'after'] : ['before', 'after']);
  });

  it('finishes what it was given when it is closed, and takes nothing more', async () => {
    const queue = queueWith();
    const pending = add(queue, 'a');

    await queue.close();

    expect(stored()).toEqual(['a']);
    await pending;
    await expect(add(queue, 'b')).rejects.toThrow('closed');
  });

  it.each(Array.from({ length: 10 }, (_, distance) => distance))(
    'leaves no write behind that arrives %d microtasks after the last round',
    async (distance) => {
      let rounds = 0;
      let late: Promise<string> | null = null;
      const arriveLate = async (): Promise<void> => {
        for (let n = 0; n < distance; n++) await Promise.resolve();
        late = add(queue, 'late');
      };
      const nextRound = (): void => {
        rounds += 1;
        if (rounds === 2) void arriveLate();
      };
      const queue = queueWith({
        pacing: {
          nextTurn: async () => {
            await realPacing.nextTurn();
            nextRound();
          },
          // On a busy machine the commit takes so long that the queue leaves the file to others
          // before its last round.
          sleep: async (ms, signal) => {
            await realPacing.sleep(ms, signal);
            nextRound();
          },
        },
      });

      await add(queue, 'a');
      await expect.poll(() => late).not.toBeNull();

      expect(await late).toBe('late');
    },
  );
});
