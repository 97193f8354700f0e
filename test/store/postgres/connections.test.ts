import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { FaultPoints } from '../../../src/domain/faults.js';
import { type Pacing, realPacing } from '../../../src/store/pacing.js';
import { committed } from '../../support/committed.js';
import { withClient } from '../../support/components/postgres.js';
import { openPostgresProcesses } from '../../support/postgres-processes.js';
import { claimOf, endWrite, fenceOf, newJob, startedEvent } from '../../support/store-samples.js';

const processes = openPostgresProcesses();
const HOUR_MS = 3_600_000;
/** Connections that listen. */
const listeners = () =>
  processes.world.database.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kit' AND query LIKE 'LISTEN%' AND state = 'idle'",
  );
/** Rejects when it is aborted. */
const aborted = (signal?: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));
/** Whoever waits does not look for itself: what wakes it is a notice. */
const NEVER_LOOKS: Pacing = { ...realPacing, sleep: (_ms, signal) => aborted(signal) };
/** Breaks every connection of kit to this database, as a restarted server would. */
const breakConnections = () =>
  processes.world.database.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kit'",
  );

describe('a connection that breaks', () => {
  it('before a commit undoes the writes, which are then made once on another', async () => {
    const job = await processes.running();
    await breakConnections();

    const stored = await committed(processes.world.stores, fenceOf(job), processes.say(job, 'one'));

    expect(stored).toMatchObject([{ seq: 2 }]);
    expect(await processes.world.stores.runs.load(job.id)).toHaveLength(1);
    expect((await processes.world.stores.events.read({ limit: 10 })).events).toHaveLength(2);
  });

  it.each([
    ['whose commit was written counts as written, once', 'committed'],
    ['whose commit never arrived is undone and made again, once', 'aborted'],
  ] as const)('in the middle of a commit %s', async (_, fate) => {
    const job = await processes.running();
    let isArmed = false;
    const query = pg.Client.prototype.query;
    // The one thing that a test cannot do from outside: lose the answer to COMMIT, or COMMIT
    // itself.
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const send = () => Reflect.apply(query, this, args);
      if (!isArmed || args[0] !== 'COMMIT') return send();
      isArmed = false;
      const lose = () =>
        Promise.reject(Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' }));
      return fate === 'committed' ? send().then(lose) : lose();
    } as typeof query;
    try {
      isArmed = true;
      const stored = await committed(processes.world.stores, fenceOf(job), [
        ...processes.say(job, 'one'),
        endWrite('one', { status: 'ok', value: 1 }),
      ]);

      expect(isArmed).toBe(false);
      expect(stored).toMatchObject([{ seq: 2, pos: expect.any(Number) }]);
      expect(await processes.world.stores.events.readRun(job.id, 0, 10)).toMatchObject([{ seq: 1 }, stored[0]]);
      expect(await processes.world.stores.runs.load(job.id)).toMatchObject([{ outcome: { value: 1 } }]);
    } finally {
      pg.Client.prototype.query = query;
    }
  });

  it('with every answer of a commit that was written loses nothing of what it told', async () => {
    const { stores, ids, database } = processes.world;
    const job = newJob(ids.jobId());
    const query = pg.Client.prototype.query;
    let isArmed = false;
    const lost = () => Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const [asked] = args as [string | { readonly text: string }];
      const text = typeof asked === 'string' ? asked : asked.text;
      const answer: unknown = Reflect.apply(query, this, args);
      if (!isArmed || !/^\s*(?:WITH|INSERT|UPDATE|COMMIT)\b/.test(text)) return answer;
      if (text === 'COMMIT') isArmed = false;
      return (answer as Promise<unknown>).then(() => Promise.reject(lost()));
    } as typeof query;
    const withLoss = async <T>(work: () => Promise<T>): Promise<T> => {
      isArmed = true;
      const value = await work();
      expect(isArmed).toBe(false);
      return value;
    };
    try {
      const inserted = await withLoss(() => stores.jobs.insert(job, 'queued', [startedEvent('e-1')]));
      expect(inserted).toMatchObject({ id: job.id, status: 'queued' });
      const [claimed, ...others] = await withLoss(() => stores.jobs.claim(claimOf()));
      expect([claimed, others]).toMatchObject([{ id: job.id, status: 'running', attempt: 1, workerId: 'w1' }, []]);
      if (claimed === undefined) throw new Error('nothing was claimed');
      const stored = await withLoss(() => committed(stores, fenceOf(claimed), processes.say(claimed, 'one')));
      expect(stored).toMatchObject([{ seq: 2, pos: expect.any(Number) }]);
      expect(await stores.events.readRun(job.id, 0, 10)).toMatchObject([{ seq: 1 }, stored[0]]);
      expect(await database.query('SELECT attempt FROM kit.jobs')).toEqual([{ attempt: 1 }]);
    } finally {
      pg.Client.prototype.query = query;
    }
  });

  it('for good makes the run fail as unavailable, and says that the commit may have been written when nobody can tell', async () => {
    const job = await processes.running();
    const hits: string[] = [];
    const faults: FaultPoints = { hit: (name) => hits.push(name) };
    const other = await processes.another({ faults, parts: { busyLimitMs: 300 } });
    const query = pg.Client.prototype.query;
    let isGone = false;
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      if (args[0] === 'COMMIT') isGone = true;
      return isGone
        ? Promise.reject(Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' }))
        : Reflect.apply(query, this, args);
    } as typeof query;
    try {
      await expect(other.runs.commit(fenceOf(job), processes.say(job, 'one'))).rejects.toMatchObject({
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

  it('under a reader that waits for an answer makes it ask again on another', async () => {
    const job = await processes.running();

    const found = await withClient(processes.world.database.url, async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE kit.jobs IN ACCESS EXCLUSIVE MODE');
      const reading = processes.world.stores.jobs.get(job.id);
      const waiting =
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kit' AND wait_event_type = 'Lock'";
      await expect.poll(() => processes.world.database.query(waiting), { interval: 10 }).toHaveLength(1);
      await breakConnections();
      await client.query('ROLLBACK');
      return reading;
    });

    expect(found).toMatchObject({ id: job.id });
  });

  it('is replaced for readers and followers too', async () => {
    const { signal } = new AbortController();
    await processes.world.stores.events.waitForChange(0, signal);
    await processes.world.stores.events.waitForChange(50, signal);
    await breakConnections();

    const job = await processes.running();

    expect(await processes.world.stores.jobs.get(job.id)).toMatchObject({ id: job.id });
    await processes.world.stores.events.waitForChange(5000, signal);
  });
});

describe('a follower', () => {
  it('hears of the commit of another process, and need not look for itself', async () => {
    const other = await processes.another({ parts: { pacing: NEVER_LOOKS } });
    const { signal } = new AbortController();
    await other.events.waitForChange(0, signal);
    await expect.poll(listeners).toHaveLength(1);
    const waiting = other.events.waitForChange(HOUR_MS, signal);

    await processes.running();
    await waiting;

    expect((await other.events.read({ limit: 10 })).events).toHaveLength(1);
  });
});

describe('many readers', () => {
  it('share the few connections that a process may have', async () => {
    const few = await processes.another({ poolSize: 1, maxOverflow: 2 });
    const job = await processes.running();

    const found = await Promise.all(Array.from({ length: 200 }, () => few.jobs.get(job.id)));

    expect(found.every((row) => row?.id === job.id)).toBe(true);
    const counted = await processes.world.database.query<{ open: number }>(
      "SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kit'",
    );
    // Three of this process, and at most four of the one that wrote the job.
    expect(counted[0]?.open).toBeLessThanOrEqual(3 + 4);
  });
});

describe('a claimer that waits for work', () => {
  it('is woken by a submit of another process, and not by what its runs write', async () => {
    const other = await processes.another({ parts: { pacing: NEVER_LOOKS } });
    const [worker, follower] = [new AbortController().signal, new AbortController().signal];
    await other.events.waitForChange(0, follower);
    await expect.poll(listeners).toHaveLength(1);
    const begun = other.events.waitForChange(HOUR_MS, follower);
    const job = await processes.running();
    await begun;
    await other.jobs.waitForWork(0, worker);
    let isWoken = false;
    const waiting = other.jobs.waitForWork(HOUR_MS, worker).then(() => {
      isWoken = true;
    });

    const told = other.events.waitForChange(HOUR_MS, follower);
    await processes.world.stores.runs.commit(fenceOf(job), processes.say(job, 'one'));
    await told;
    await realPacing.nextTurn();
    expect(isWoken).toBe(false);
    expect((await other.events.read({ limit: 10 })).events).toHaveLength(2);

    await processes.world.stores.jobs.insert(newJob(processes.world.ids.jobId()), 'queued', []);
    await waiting;
  });

  it('hears of work at once, also right after a notice of something else', async () => {
    const job = await processes.running();
    const heard: { payload: string | undefined; atMs: number }[] = [];
    await withClient(processes.world.database.url, async (client) => {
      client.on('notification', ({ payload }) => heard.push({ payload, atMs: performance.now() }));
      await client.query('LISTEN kit_change');
      await processes.world.stores.runs.commit(fenceOf(job), processes.say(job, 'one'));
      await expect.poll(() => heard.length).toBeGreaterThan(0);
      heard.splice(0);

      await processes.world.stores.runs.commit(fenceOf(job), processes.say(job, 'two'));
      await processes.world.stores.jobs.insert(newJob(processes.world.ids.jobId()), 'queued', []);
      await expect.poll(() => heard.map(({ payload }) => payload)).toContain('');
    });
    expect(heard.filter(({ payload }) => payload === '')).toHaveLength(1);
  });
});
