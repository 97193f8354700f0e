import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FaultPoints } from '../../../src/domain/faults.js';
import type { Job } from '../../../src/domain/job.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { openPostgresStores, type PostgresStoreOptions } from '../../../src/store/postgres/open-postgres-stores.js';
import { withClient } from '../../support/components/postgres.js';
import { openPostgresWorld, type PostgresWorld, placeOf } from '../../support/postgres-world.js';
import { claimOf, createIds, endWrite, fenceOf, HERE, messageEvent, newJob, startedEvent, startWrite, stepOf } from '../../support/store-samples.js';
import { SILENT } from '../../support/store-world.js';

let world: PostgresWorld;
const others: Stores[] = [];
beforeEach(async () => {
  world = await openPostgresWorld({ parts: { busyLimitMs: 1500 } });
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
  await world.dispose();
});

/** Another process on the same database. */
async function another(over: Partial<PostgresStoreOptions> = {}): Promise<Stores> {
  const { length } = others;
  const ids = createIds(0xa0 + length);
  const place = placeOf(world.database.url);
  const stores = await openPostgresStores({ place, poolSize: 2, maxOverflow: 2, ids, faults: { hit: () => {} }, log: SILENT, ...over });
  others.push(stores);
  return stores;
}

const running = (over: Parameters<typeof newJob>[1] = {}): Promise<Job> =>
  world.stores.jobs.insert(newJob(world.ids.jobId(), over), 'pending', [startedEvent(world.ids.uuid())], claimOf());
const say = (job: Job, key: string) => [startWrite(stepOf(job.id, key), [messageEvent(world.ids.uuid(), key, key)])];
/** Breaks every connection of kit to this database, as a restarted server would. */
const breakConnections = () =>
  world.database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kit'");

describe('claims of several processes', () => {
  it('give each job to one of them, whoever asks at the same moment', async () => {
    const stores = [world.stores, await another(), await another()];
    const given = Array.from({ length: 30 }, () => world.ids.jobId());
    await Promise.all(given.map((id) => world.stores.jobs.insert(newJob(id), 'queued', [])));

    const claimed = await Promise.all(
      stores.flatMap((one, at) => Array.from({ length: 5 }, (_, n) => one.jobs.claim(claimOf({ workerId: `w${at}-${n}`, limit: 3 })))),
    );

    const ids = claimed.flat().map((job) => job.id);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await world.stores.jobs.claim(claimOf({ limit: 100 }));
    expect([...ids, ...rest.map((job) => job.id)].sort()).toEqual(given.toSorted());
  });

  it('pass over a job that another claim holds, and do not wait for it', async () => {
    const [held, free] = [world.ids.jobId(), world.ids.jobId()];
    for (const id of [held, free]) await world.stores.jobs.insert(newJob(id), 'queued', []);

    await withClient(world.database.url, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM kit.jobs WHERE id = $1 FOR UPDATE', [held]);
      expect((await world.stores.jobs.claim(claimOf())).map((job) => job.id)).toEqual([free]);
      await client.query('ROLLBACK');
    });
  });
});

describe('the order of events', () => {
  it('is the order of commits: a reader that follows while three processes write skips none', async () => {
    const stores = [world.stores, await another(), await another()];
    const jobs = await Promise.all(stores.flatMap((_, at) => [0, 1, 2].map(() => running({ labels: { at: String(at) } }))));
    const seen: number[] = [];
    let after = '';
    let isOver = false;
    const follow = async (): Promise<void> => {
      for (let last = false; ; last = isOver) {
        const page = await world.stores.events.read({ after, limit: 7 });
        seen.push(...page.events.map((event) => event.pos));
        after = page.nextCursor;
        if (!page.hasMore && last) return;
      }
    };
    const following = follow();
    await Promise.all(
      jobs.map(async (job, index) => {
        const one = stores[index % stores.length] ?? world.stores;
        for (let step = 0; step < 15; step++) await one.runs.commit(fenceOf(job), say(job, `s${step}`));
      }),
    );
    isOver = true;
    await following;

    const all = (await world.database.query<{ pos: number }>('SELECT pos FROM kit.events ORDER BY pos')).map((row) => row.pos);
    expect(all).toHaveLength(jobs.length * 16);
    expect(seen).toEqual(all);
    for (const job of jobs) {
      const events = await world.stores.events.readRun(job.id, 0, 100);
      expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 16 }, (_, n) => n + 1));
      expect(events.slice(1).map((event) => event.prevHash)).toEqual(events.slice(0, -1).map((event) => event.hash));
    }
  });

  it('holds for events that belong to no job too', async () => {
    const stores = [world.stores, await another()];
    const event = (n: number) => messageEvent(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, 'x');

    await Promise.all(Array.from({ length: 20 }, (_, n) => (stores[n % 2] ?? world.stores).events.append(event(n), {})));

    const events = await world.stores.events.readRun('', 0, 100);
    expect(events.map((one) => one.seq)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(events.slice(1).map((one) => one.prevHash)).toEqual(events.slice(0, -1).map((one) => one.hash));
  });
});

describe('the fence', () => {
  it('holds against a takeover that commits while the write waits for the row', async () => {
    const job = await running();
    const other = await another();
    const fence = fenceOf(job);

    const late = await withClient(world.database.url, async (client) => {
      await client.query('BEGIN');
      await client.query("UPDATE kit.jobs SET worker_id = 'next', attempt = attempt + 1 WHERE id = $1", [job.id]);
      const write = other.runs.commit(fence, say(job, 'late')).catch((error: unknown) => error);
      // The write now has its snapshot and waits for the lock of the row.
      await waitsForLock();
      await client.query('COMMIT');
      return write;
    });

    expect(late).toMatchObject({ code: 'KIT_LEASE_LOST' });
    expect(await world.stores.runs.load(job.id)).toEqual([]);
    expect(await world.stores.events.readRun(job.id, 0, 10)).toHaveLength(1);
  });

  it('is not deceived by a heartbeat that waits for a takeover', async () => {
    const job = await running();
    const other = await another();

    const late = await withClient(world.database.url, async (client) => {
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
    const job = await running();
    await world.elapse(60_001);
    const other = await another();

    const swept = await withClient(world.database.url, async (client) => {
      await client.query('BEGIN');
      await client.query("UPDATE kit.jobs SET lease_until = '2030-01-01T00:00:00.000Z' WHERE id = $1", [job.id]);
      const sweep = other.jobs.sweep(HERE);
      await waitsForLock();
      await client.query('COMMIT');
      return sweep;
    });

    expect(swept).toEqual([]);
    expect(await world.stores.jobs.get(job.id)).toMatchObject({ status: 'running', crashes: 0 });
  });

  async function waitsForLock(): Promise<void> {
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kit' AND wait_event_type = 'Lock'";
    await expect.poll(() => world.database.query(waiting), { timeout: 5000, interval: 10 }).toHaveLength(1);
  }
});

describe('a group of writes', () => {
  it('keeps what it can when one of them is refused by the database, and when a row of another is held', async () => {
    const [a, b, c] = [await running(), await running(), await running()];
    const bad = { ...newJob(world.ids.jobId()), jobClass: 'neither' as 'model' };

    const results = await withClient(world.database.url, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM kit.jobs WHERE id = $1 FOR UPDATE', [b.id]);
      const all = await Promise.allSettled([
        world.stores.runs.commit(fenceOf(a), say(a, 'one')),
        world.stores.jobs.insert(bad, 'pending', []),
        world.stores.runs.commit(fenceOf(b), say(b, 'two')),
        world.stores.runs.commit(fenceOf(c), say(c, 'three')),
      ]);
      await client.query('ROLLBACK');
      return all;
    });

    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: '23514' } });
    expect(results[2]).toMatchObject({ reason: { code: 'KIT_STORE_BUSY' } });
    await world.stores.runs.commit(fenceOf(b), say(b, 'two'));
    for (const job of [a, b, c]) expect(await world.stores.runs.load(job.id)).toHaveLength(1);
  });

  it('gives up with KIT_STORE_BUSY on a log whose end another process holds for too long, and goes on when it lets go', async () => {
    const job = await running();

    await withClient(world.database.url, async (client) => {
      await client.query(`SELECT pg_advisory_lock(${0x6b6974}, 1)`);
      await expect(world.stores.runs.commit(fenceOf(job), say(job, 'one'))).rejects.toMatchObject({ code: 'KIT_STORE_BUSY', exitCode: 1 });
    });

    await world.stores.runs.commit(fenceOf(job), say(job, 'one'));
    expect(await world.stores.runs.load(job.id)).toHaveLength(1);
  }, 30_000);
});

describe('a connection that breaks', () => {
  it('before a commit undoes the writes, which are then made once on another', async () => {
    const job = await running();
    await breakConnections();

    const stored = await world.stores.runs.commit(fenceOf(job), say(job, 'one'));

    expect(stored).toMatchObject([{ seq: 2 }]);
    expect(await world.stores.runs.load(job.id)).toHaveLength(1);
    expect((await world.stores.events.read({ limit: 10 })).events).toHaveLength(2);
  });

  it.each([
    ['whose commit was written counts as written, once', 'committed'],
    ['whose commit never arrived is undone and made again, once', 'aborted'],
  ] as const)('in the middle of a commit %s', async (_, fate) => {
    const job = await running();
    let isArmed = false;
    const query = pg.Client.prototype.query;
    // The one thing that a test cannot do from outside: lose the answer to COMMIT, or COMMIT itself.
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const send = () => Reflect.apply(query, this, args);
      if (!isArmed || args[0] !== 'COMMIT') return send();
      isArmed = false;
      const lose = (): never => {
        throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
      };
      return fate === 'committed' ? send().then(lose) : Promise.reject(lose).catch(lose);
    } as typeof query;
    try {
      isArmed = true;
      const stored = await world.stores.runs.commit(fenceOf(job), [...say(job, 'one'), endWrite('one', { status: 'ok', value: 1 })]);

      expect(isArmed).toBe(false);
      expect(stored).toMatchObject([{ seq: 2, pos: expect.any(Number) }]);
      expect(await world.stores.events.readRun(job.id, 0, 10)).toMatchObject([{ seq: 1 }, stored[0]]);
      expect(await world.stores.runs.load(job.id)).toMatchObject([{ outcome: { value: 1 } }]);
    } finally {
      pg.Client.prototype.query = query;
    }
  });

  it('for good makes the run fail as unavailable, and says that the commit may have been written when nobody can tell', async () => {
    const job = await running();
    const hits: string[] = [];
    const faults: FaultPoints = { hit: (name) => hits.push(name) };
    const other = await another({ faults, parts: { busyLimitMs: 300 } });
    const query = pg.Client.prototype.query;
    let isGone = false;
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      if (args[0] === 'COMMIT') isGone = true;
      return isGone ? Promise.reject(Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' })) : Reflect.apply(query, this, args);
    } as typeof query;
    try {
      await expect(other.runs.commit(fenceOf(job), say(job, 'one'))).rejects.toMatchObject({
        code: 'KIT_STORE_UNAVAILABLE',
        message: expect.stringContaining('may or may not have been written'),
        hint: expect.stringContaining('Resume'),
      });
    } finally {
      pg.Client.prototype.query = query;
    }
    expect(hits).toContain('run.step_started:before');
    expect(hits).not.toContain('run.step_started:after');
  });

  it('is replaced for readers and followers too', async () => {
    const { signal } = new AbortController();
    await world.stores.events.waitForChange(0, signal);
    await world.stores.events.waitForChange(50, signal);
    await breakConnections();

    const job = await running();

    expect(await world.stores.jobs.get(job.id)).toMatchObject({ id: job.id });
    await world.stores.events.waitForChange(5000, signal);
  });
});

describe('a follower', () => {
  it('hears of the commit of another process long before it would look for itself', async () => {
    const other = await another();
    const { signal } = new AbortController();
    await other.events.waitForChange(0, signal);
    // The second wait begins to listen.
    await other.events.waitForChange(300, signal);
    const waiting = other.events.waitForChange(20_000, signal);

    await running();
    const startedMs = performance.now();
    await waiting;

    expect(performance.now() - startedMs).toBeLessThan(5000);
    expect((await other.events.read({ limit: 10 })).events).toHaveLength(1);
  });
});
