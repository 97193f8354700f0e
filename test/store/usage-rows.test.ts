import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { daysOf } from '../../src/store/model-usage.js';
import { POSTGRES_MIGRATIONS } from '../../src/store/postgres/migrations/index.js';
import { usage as usageInPostgres } from '../../src/store/postgres/sql/usage.js';
import { SQLITE_MIGRATIONS } from '../../src/store/sqlite/migrations/index.js';
import { usage as usageInSqlite } from '../../src/store/sqlite/sql/usage.js';
import { withClient } from '../support/components/postgres.js';
import { calledEvent } from '../support/model-calls.js';
import { openPostgresWorld } from '../support/postgres-world.js';
import {
  claimOf,
  endedEvent,
  endWrite,
  fenceOf,
  newJob,
  resumedEvent,
  runEndWrite,
  startWrite,
  stepOf,
} from '../support/store-samples.js';
import { openSqliteWorld, type StoreWorld } from '../support/store-world.js';

const CALLS_OF_RUN = 3;
const FIRST_DAY_MS = Date.parse('2026-01-01T00:00:00.000Z');
const HOUR_MS = 3_600_000;

/** A store, how much the statement of usage reads in it, and its migration done again. */
interface Counted extends StoreWorld {
  rowsRead(bounds: Parameters<typeof daysOf>[0]): Promise<number>;
  migrateAgain(): Promise<void>;
}

/** Every row that is summed, and every payload of the log that is looked at. */
async function sqlite(): Promise<Counted> {
  const world = await openSqliteWorld();
  return Object.assign(world, {
    rowsRead: async (bounds: Parameters<typeof daysOf>[0]) => {
      const db = new Database(world.path, { readonly: true });
      let rows = 0;
      const sum = (total: unknown, value: unknown) => (typeof value === 'number' ? Number(total ?? 0) + value : total);
      db.aggregate('sum', {
        start: null,
        step: (total: unknown, value: unknown) => {
          rows += 1;
          return sum(total, value);
        },
      });
      const days = daysOf(bounds);
      db.prepare(usageInSqlite('model')).all({ ...bounds, ...days, cut: JSON.stringify(days.cut) });
      db.close();
      return rows;
    },
    migrateAgain: async () => {
      const db = new Database(world.path);
      db.exec(`DROP TABLE usage_runs; DROP TABLE usage_days; ${SQLITE_MIGRATIONS[18]}`);
      db.close();
    },
  });
}

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Every row that is read in a table. */
const rowsOf = (plan: Plan): number =>
  (plan['Relation Name'] === undefined ? 0 : 1) *
    (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) *
    plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, below) => sum + rowsOf(below), 0);

async function postgres(): Promise<Counted> {
  const world = await openPostgresWorld();
  const kit = <T>(work: (query: (sql: string, values?: unknown[]) => Promise<readonly object[]>) => Promise<T>) =>
    withClient(world.database.url, async (client) => {
      await client.query('SET search_path = kit');
      return work(async (sql, values) => (await client.query(sql, values)).rows);
    });
  return Object.assign(world, {
    rowsRead: (bounds: Parameters<typeof daysOf>[0]) =>
      kit(async (query) => {
        const values = { ...bounds, ...daysOf(bounds) };
        const names: (keyof typeof values)[] = [];
        const text = usageInPostgres('model').replace(/@(\w+)/g, (_, name: keyof typeof values) => {
          if (!names.includes(name)) names.push(name);
          return `$${names.indexOf(name) + 1}`;
        });
        await query('ANALYZE');
        // Tables this small are read whole otherwise.
        await query('SET enable_seqscan = off');
        const [row] = await query(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
          names.map((name) => values[name]),
        );
        const [{ Plan: plan }] = (row as { readonly 'QUERY PLAN': readonly [{ readonly Plan: Plan }] })['QUERY PLAN'];
        return Math.round(rowsOf(plan));
      }),
    migrateAgain: () =>
      kit(async (query) => {
        await query(`DROP TABLE usage_runs; DROP TABLE usage_days; ${POSTGRES_MIGRATIONS[18]}`);
      }),
  });
}

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
])('usage of a store in %s', (_, open) => {
  const opened: StoreWorld[] = [];
  afterEach(async () => {
    for (const world of opened.splice(0)) await world.dispose();
  });
  const store = async (): Promise<Counted> => {
    const world = await open();
    opened.push(world);
    return world;
  };
  /** A run with its calls at an hour of the first days. */
  const run = async ({ stores, ids }: StoreWorld, hour: number, end?: 'completed' | 'stopped'): Promise<string> => {
    const job = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [], claimOf());
    const timestamp = new Date(FIRST_DAY_MS + hour * HOUR_MS).toISOString();
    const calls = Array.from({ length: CALLS_OF_RUN }, () => calledEvent(ids.uuid(), { timestamp, cost: 1 }));
    await stores.runs.commit(fenceOf(job), [
      startWrite(stepOf(job.id, 'root')),
      endWrite('root', { status: 'ok', value: 1 }, calls),
      ...(end === undefined ? [] : [runEndWrite([endedEvent(ids.uuid(), end)], { status: end })]),
    ]);
    return job.id;
  };
  const EVER = { since: null, until: null, topology: null };

  it('is told without reading the runs that have ended, however many there are', async () => {
    const read: number[] = [];
    for (const runs of [10, 200]) {
      const world = await store();
      for (let n = 0; n < runs; n += 1) await run(world, 24 * (n % 2), 'completed');
      await run(world, 1);
      read.push(await world.rowsRead(EVER));

      expect(await world.stores.serving.usage({})).toMatchObject([{ calls: (runs + 1) * CALLS_OF_RUN }]);
    }

    expect(read[1]).toBeLessThanOrEqual(read[0] ?? 0);
  }, 60_000);

  it('since a moment is told from the runs of its day and the days since, whatever there was before', async () => {
    const read: number[] = [];
    for (const days of [2, 40]) {
      const world = await store();
      for (let hour = 24 * (30 - days); hour < 24 * 30; hour += 12) await run(world, hour, 'completed');
      const since = new Date(FIRST_DAY_MS + 24 * 29 * HOUR_MS + 1).toISOString();
      read.push(await world.rowsRead({ ...EVER, since }));

      expect(await world.stores.serving.usage({ since })).toMatchObject([{ calls: CALLS_OF_RUN }]);
    }

    expect(read[1]).toBeLessThanOrEqual(read[0] ?? 0);
  }, 60_000);

  it('is counted for the runs that had ended before it was counted at all', async () => {
    const world = await store();
    const { stores, ids } = world;
    for (const hour of [1, 20, 30]) await run(world, hour, 'completed');
    const stopped = await run(world, 31, 'stopped');
    await run(world, 32);
    const asked = [{}, { by: 'day' as const }, { since: '2026-01-01T12:00:00Z', until: '2026-01-02T06:00:00Z' }];
    const before = await Promise.all(asked.map((filter) => stores.serving.usage(filter)));

    await world.migrateAgain();

    expect(await Promise.all(asked.map((filter) => stores.serving.usage(filter)))).toEqual(before);
    const again = await stores.jobs.resume(stopped, resumedEvent(ids.uuid()), claimOf());
    await stores.runs.commit(fenceOf(again), [runEndWrite([endedEvent(ids.uuid())])]);
    expect(await stores.serving.usage({})).toEqual(before[0]);
  });
});
