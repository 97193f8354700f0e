import { describe, expect, it } from 'vitest';
import { withClient } from '../../support/components/postgres.js';
import { openPostgresProcesses } from '../../support/postgres-processes.js';
import { claimOf, fenceOf, HERE, messageEvent, newJob } from '../../support/store-samples.js';

const processes = openPostgresProcesses();

describe('claims of several processes', () => {
  it('give each job to one of them, whoever asks at the same moment', async () => {
    const stores = [processes.world.stores, await processes.another(), await processes.another()];
    const given = Array.from({ length: 30 }, () => processes.world.ids.jobId());
    await Promise.all(given.map((id) => processes.world.stores.jobs.insert(newJob(id), 'queued', [])));

    const claimed = await Promise.all(
      stores.flatMap((one, at) =>
        Array.from({ length: 5 }, (_, n) => one.jobs.claim(claimOf({ workerId: `w${at}-${n}`, limit: 3 }))),
      ),
    );

    const ids = claimed.flat().map((job) => job.id);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await processes.world.stores.jobs.claim(claimOf({ limit: 100 }));
    expect([...ids, ...rest.map((job) => job.id)].sort()).toEqual(given.toSorted());
  });

  it('pass over a job that another claim holds, and do not wait for it', async () => {
    const [held, free] = [processes.world.ids.jobId(), processes.world.ids.jobId()];
    for (const id of [held, free]) await processes.world.stores.jobs.insert(newJob(id), 'queued', []);

    await withClient(processes.world.database.url, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM kit.jobs WHERE id = $1 FOR UPDATE', [held]);
      expect((await processes.world.stores.jobs.claim(claimOf())).map((job) => job.id)).toEqual([free]);
      await client.query('ROLLBACK');
    });
  });
});

describe('the order of events', () => {
  it('is the order of commits: a reader that follows while three processes write skips none', async () => {
    const stores = [processes.world.stores, await processes.another(), await processes.another()];
    const jobs = await Promise.all(stores.flatMap(() => [1, 2, 3].map(() => processes.running())));
    const seen: number[] = [];
    let after = '';
    let isOver = false;
    const follow = async (): Promise<void> => {
      for (let last = false; ; last = isOver) {
        const page = await processes.world.stores.events.read({ after, limit: 7 });
        seen.push(...page.events.map((event) => event.pos));
        after = page.nextCursor;
        if (!page.hasMore && last) return;
      }
    };
    const following = follow();
    await Promise.all(
      jobs.map(async (job, index) => {
        const one = stores[index % stores.length] ?? processes.world.stores;
        for (let step = 0; step < 15; step++) await one.runs.commit(fenceOf(job), processes.say(job, `s${step}`));
      }),
    );
    isOver = true;
    await following;

    const all = (await processes.world.database.query<{ pos: number }>('SELECT pos FROM kit.events ORDER BY pos')).map(
      (row) => row.pos,
    );
    expect(all).toHaveLength(jobs.length * 16);
    expect(seen).toEqual(all);
    for (const job of jobs) {
      const events = await processes.world.stores.events.readRun(job.id, 0, 100);
      expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 16 }, (_, n) => n + 1));
      expect(events.slice(1).map((event) => event.prevHash)).toEqual(events.slice(0, -1).map((event) => event.hash));
    }
  });

  it('holds for events that belong to no job too', async () => {
    const stores = [processes.world.stores, await processes.another()];
    const event = (n: number) => messageEvent(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, 'x');

    await Promise.all(
      Array.from({ length: 20 }, (_, n) => (stores[n % 2] ?? processes.world.stores).events.append(event(n), {})),
    );

    const events = await processes.world.stores.events.readRun('', 0, 100);
    expect(events.map((one) => one.seq)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(events.slice(1).map((one) => one.prevHash)).toEqual(events.slice(0, -1).map((one) => one.hash));
  });
});

describe('the fence', () => {
  it('holds against a takeover that commits while the write waits for the row', async () => {
    const job = await processes.running();
    const other = await processes.another();
    const fence = fenceOf(job);

    const late = await withClient(processes.world.database.url, async (client) => {
      await client.query('BEGIN');
      await client.query("UPDATE kit.jobs SET worker_id = 'next', attempt = attempt + 1 WHERE id = $1", [job.id]);
      const write = other.runs.commit(fence, processes.say(job, 'late')).catch((error: unknown) => error);
      // The write now has its snapshot and waits for the lock of the row.
      await waitsForLock();
      await client.query('COMMIT');
      return write;
    });

    expect(late).toMatchObject({ code: 'KIT_LEASE_LOST' });
    expect(await processes.world.stores.runs.load(job.id)).toEqual([]);
    expect(await processes.world.stores.events.readRun(job.id, 0, 10)).toHaveLength(1);
  });

  it('is not deceived by a heartbeat that waits for a takeover', async () => {
    const job = await processes.running();
    const other = await processes.another();

    const late = await withClient(processes.world.database.url, async (client) => {
      await client.query('BEGIN');
      await client.query("UPDATE kit.jobs SET worker_id = 'next', attempt = attempt + 1 WHERE id = $1", [job.id]);
      const beat = other.jobs.heartbeat(fenceOf(job), 60_000, 10);
      await waitsForLock();
      await client.query('COMMIT');
      return beat;
    });

    expect(late).toEqual({ lost: true, stopRequested: false });
  });

  it('lets a sweep leave a lease alone that was renewed while it waited', async () => {
    const job = await processes.running();
    await processes.world.elapse(60_001);
    const other = await processes.another();

    const swept = await withClient(processes.world.database.url, async (client) => {
      await client.query('BEGIN');
      await client.query("UPDATE kit.jobs SET lease_until = '2030-01-01T00:00:00.000Z' WHERE id = $1", [job.id]);
      const sweep = other.jobs.sweep(HERE);
      await waitsForLock();
      await client.query('COMMIT');
      return sweep;
    });

    expect(swept).toEqual([]);
    expect(await processes.world.stores.jobs.get(job.id)).toMatchObject({ status: 'running', crashes: 0 });
  });

  async function waitsForLock(): Promise<void> {
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kit' AND wait_event_type = 'Lock'";
    await expect.poll(() => processes.world.database.query(waiting), { interval: 10 }).toHaveLength(1);
  }
});

describe('a group of writes', () => {
  it('keeps what it can when one of them is refused by the database, and when a row of another is held', async () => {
    const [a, b, c] = [await processes.running(), await processes.running(), await processes.running()];
    const bad = { ...newJob(processes.world.ids.jobId()), jobClass: 'neither' as 'model' };

    const results = await withClient(processes.world.database.url, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM kit.jobs WHERE id = $1 FOR UPDATE', [b.id]);
      const all = await Promise.allSettled([
        processes.world.stores.runs.commit(fenceOf(a), processes.say(a, 'one')),
        processes.world.stores.jobs.insert(bad, 'pending', []),
        processes.world.stores.runs.commit(fenceOf(b), processes.say(b, 'two')),
        processes.world.stores.runs.commit(fenceOf(c), processes.say(c, 'three')),
      ]);
      await client.query('ROLLBACK');
      return all;
    });

    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: '23514' } });
    expect(results[2]).toMatchObject({ reason: { code: 'KIT_STORE_BUSY' } });
    await processes.world.stores.runs.commit(fenceOf(b), processes.say(b, 'two'));
    for (const job of [a, b, c]) expect(await processes.world.stores.runs.load(job.id)).toHaveLength(1);
  });

  it('gives up with KIT_STORE_BUSY on a log whose end another process holds for too long, and goes on when it lets go', async () => {
    const job = await processes.running();

    await withClient(processes.world.database.url, async (client) => {
      await client.query(`SELECT pg_advisory_lock(${0x6b6974}, 1)`);
      await expect(processes.world.stores.runs.commit(fenceOf(job), processes.say(job, 'one'))).rejects.toMatchObject({
        code: 'KIT_STORE_BUSY',
        exitCode: 1,
      });
    });

    await processes.world.stores.runs.commit(fenceOf(job), processes.say(job, 'one'));
    expect(await processes.world.stores.runs.load(job.id)).toHaveLength(1);
  }, 30_000);
});
