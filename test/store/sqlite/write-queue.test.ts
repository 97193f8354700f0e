import { describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../../src/domain/faults.js';
import { realPacing } from '../../../src/store/pacing.js';
import { openConnection } from '../../../src/store/sqlite/connection.js';
import { WriteQueue } from '../../../src/store/sqlite/write-queue.js';
import { INSERT, queuedFile } from './queued-file.js';

describe('the write queue', () => {
  const { path, writer, other, commits, queueWith, add, stored } = queuedFile();

  it('puts what arrives together into one commit, in order', async () => {
    // Time stands still: a commit that takes long leaves the file to others.
    const queue = queueWith({ pacing: { nowMs: () => 0 } });

    const values = await Promise.all(Array.from({ length: 50 }, (_, n) => add(queue, `v${n}`)));

    expect(commits()).toBe(1);
    expect(stored()).toEqual(values);
  });

  it('undoes what a refused write did and keeps its neighbours', async () => {
    // Time stands still, as above: all four are one group, however long one of them takes.
    const queue = queueWith({ pacing: { nowMs: () => 0 } });
    const refused = queue.run(['event.append'], (sql) => {
      sql.run(INSERT, { v: 'half' });
      throw new Error('refused');
    });

    const results = await Promise.allSettled([add(queue, 'a'), refused, add(queue, 'b'), add(queue, 'a')]);

    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(commits()).toBe(1);
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

  it('waits for the lock of another process without holding up the event loop', async () => {
    const queue = queueWith();
    other().exec('BEGIN IMMEDIATE');
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
      if (turns === 20) other().exec('COMMIT');
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
    other().exec('BEGIN IMMEDIATE');

    await expect(add(queue, 'a')).rejects.toMatchObject({ code: 'KIT_STORE_BUSY' });
    other().exec('COMMIT');
    await add(queue, 'b');

    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...pauses.slice(0, -1))).toBeLessThanOrEqual(5);
    expect(nowMs).toBeGreaterThan(10_000);
    expect(nowMs).toBeLessThan(10_100);
    expect(stored()).toEqual(['b']);
  });

  it('reports a store that cannot be written as read-only', async () => {
    const reader = await openConnection({ path: path(), mode: 'read', pacing: realPacing });
    const queue = new WriteQueue({
      ...{ sql: reader.sql, faults: NO_FAULTS, pacing: realPacing },
      ...{ assertThere: () => {}, onCommit: () => {} },
    });

    await expect(add(queue, 'a')).rejects.toMatchObject({ code: 'KIT_STORE_READ_ONLY' });
    reader.close();
  });

  it('goes on after a full disk', async () => {
    const queue = queueWith();
    await add(queue, 'before');
    const pages = Number(writer().sql.pragma('page_count'));
    writer().sql.pragma(`max_page_count = ${pages + 1}`);

    const results = await Promise.allSettled([add(queue, 'x'.repeat(200_000)), add(queue, 'small')]);
    writer().sql.pragma('max_page_count = 1000000');
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
          // Time stands still: after a commit that takes long there is no second round.
          nowMs: () => 0,
          nextTurn: async () => {
            await realPacing.nextTurn();
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
