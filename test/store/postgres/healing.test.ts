import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { createDatabase, type TestDatabase } from '../../support/components/postgres.js';
import { openPostgresProcesses } from '../../support/postgres-processes.js';
import { placeOf } from '../../support/postgres-world.js';
import { createIds, eventOf, fenceOf, newJob, startedEvent } from '../../support/store-samples.js';
import { SILENT } from '../../support/store-world.js';

const WAIT = { timeout: 60_000, interval: 20 } as const;
const OF_KIT = "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kit'";

describe('the connections of a process', () => {
  it.each([
    [1, 2],
    [2, 3],
    [3, 0],
  ])(
    'are never more than a pool of %i and an overflow of %i, writer and listener among them',
    async (poolSize, maxOverflow) => {
      const database = await createDatabase();
      const ids = createIds(0x90);
      const stores = await openPostgresStores({
        place: placeOf(database.url),
        poolSize,
        maxOverflow,
        ids,
        faults: { hit: () => {} },
        log: SILENT,
      });
      const ending = new AbortController();
      const seen: number[] = [];
      try {
        await work(stores, ids, {
          signal: ending.signal,
          count: async () => seen.push((await connected(database)).length),
        });
      } finally {
        ending.abort();
        await stores.close();
      }

      expect(Math.max(...seen)).toBe(poolSize + maxOverflow);
      expect(await connected(database)).toEqual([]);
      await database.drop();
    },
  );
});

describe('a server that broke every connection', () => {
  const processes = openPostgresProcesses();
  const database = () => processes.world.database;
  const listeners = () => database().query<{ pid: number }>(`SELECT pid ${OF_KIT} AND query LIKE 'LISTEN%'`);
  const breakAll = () => database().query(`SELECT pg_terminate_backend(pid) ${OF_KIT}`);
  const say = async (stores: Stores) =>
    void (await stores.events.append(eventOf(processes.world.ids.uuid(), 'input.rejected', { errors: [] }), {}));

  /** Follows until the signal aborts; the number of events that were read last. */
  function follow(stores: Stores) {
    const ending = new AbortController();
    const seen = { events: 0 };
    const done = (async () => {
      while (!ending.signal.aborted) {
        await stores.events.waitForChange(20_000, ending.signal);
        seen.events = (await stores.events.read({ limit: 100 }).catch(() => null))?.events.length ?? seen.events;
      }
    })();
    return {
      seen,
      end: () => {
        ending.abort();
        return done;
      },
    };
  }

  it('is listened to again, and what was committed in between is seen by looking', async () => {
    const other = await processes.another();
    const following = follow(other);
    await expect.poll(listeners, WAIT).toHaveLength(1);
    const [before] = await listeners();

    await breakAll();
    await say(processes.world.stores);
    await expect.poll(() => following.seen.events, WAIT).toBe(1);

    await expect.poll(async () => (await listeners()).filter(({ pid }) => pid !== before?.pid), WAIT).toHaveLength(1);
    await say(processes.world.stores);
    await expect.poll(() => following.seen.events, WAIT).toBe(2);
    await following.end();
  });

  it('loses no write of many that were under way, and makes none twice', async () => {
    const { stores, ids } = processes.world;
    const job = await processes.running();
    let isDone = false;
    const breaking = (async () => {
      while (!isDone) {
        await breakAll();
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    })();

    const written = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        await new Promise((resolve) => setTimeout(resolve, n * 15));
        return stores.events.append(eventOf(ids.uuid(), 'input.rejected', { errors: [] }), {});
      }),
    );
    isDone = true;
    await breaking;

    const { events } = await stores.events.read({ limit: 1000, types: ['input.rejected'] });
    expect(events.map(({ eventId }) => eventId).sort()).toEqual(written.map(({ eventId }) => eventId).sort());
    expect((await stores.jobs.heartbeat(fenceOf(job), 60_000, 0)).lost).toBe(false);
  });

  it('and no longer takes writes is left for the one that does', async () => {
    const { stores } = processes.world;
    const query = pg.Client.prototype.query;
    let refusals = 0;
    // A standby in the place of the primary: what a failover looks like to a connection that
    // outlived it.
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      if (refusals >= 3 || typeof args[0] !== 'string' || !args[0].startsWith('BEGIN'))
        return Reflect.apply(query, this, args);
      refusals += 1;
      return Promise.reject(
        Object.assign(new Error('cannot set transaction read-write mode during recovery'), { code: '0A000' }),
      );
    } as typeof query;
    try {
      await say(stores);
    } finally {
      pg.Client.prototype.query = query;
    }

    expect(refusals).toBe(3);
    expect((await stores.events.read({ limit: 10 })).events).toHaveLength(1);
  });
});

const connected = (database: TestDatabase) => database.query<{ pid: number }>(`SELECT pid ${OF_KIT}`);

/** Reads and writes as much as a process does that is busy, and follows the log meanwhile. */
async function work(
  stores: Stores,
  ids: ReturnType<typeof createIds>,
  { signal, count }: { readonly signal: AbortSignal; readonly count: () => Promise<unknown> },
): Promise<void> {
  await stores.events.waitForChange(0, signal);
  const following = stores.events.waitForChange(5_000, signal);
  const jobs = await Promise.all(
    Array.from({ length: 30 }, () => stores.jobs.insert(newJob(ids.jobId()), 'queued', [startedEvent(ids.uuid())])),
  );
  await following;
  for (let round = 0; round < 15; round += 1) {
    const waiting = stores.events.waitForChange(100, signal);
    const busy = Promise.all([
      ...Array.from({ length: 40 }, (_, n) => stores.jobs.get(jobs[n % jobs.length]?.id ?? '')),
      ...Array.from({ length: 10 }, () =>
        stores.events.append(eventOf(ids.uuid(), 'input.rejected', { errors: [] }), {}),
      ),
      ...Array.from({ length: 10 }, () => stores.events.read({ limit: 100 })),
    ]);
    await count();
    await Promise.all([busy, waiting]);
    await count();
  }
}
