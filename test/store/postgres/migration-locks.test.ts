import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Stores } from '../../../src/domain/ports/stores.js';
import type { Log } from '../../../src/domain/ports/system.js';
import { SCHEMA_VERSION } from '../../../src/store/migrations.js';
import { createConnections } from '../../../src/store/postgres/connections.js';
import { migrate } from '../../../src/store/postgres/migrate.js';
import { POSTGRES_MIGRATIONS } from '../../../src/store/postgres/migrations/index.js';
import { openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { CREATE_META, createSchemaOf } from '../../../src/store/postgres/sql/meta.js';
import { createSqlRunner, type SqlRunner } from '../../../src/store/postgres/sql-runner.js';
import { createDatabase, type TestDatabase, withClient } from '../../support/components/postgres.js';
import { placeOf } from '../../support/postgres-world.js';
import { createIds } from '../../support/store-samples.js';
import { SILENT } from '../../support/store-world.js';

const HOUR_MS = 3_600_000;

let database: TestDatabase;
let opened: Stores[];
beforeEach(async () => {
  [database, opened] = [await createDatabase(), []];
  const before = ([1, 2, 3, 4, 5, 6] as const).map((number) => POSTGRES_MIGRATIONS[number]).join(';');
  await database.query(`${createSchemaOf('kit')}; SET search_path = kit; ${CREATE_META}; ${before}`);
  await database.query(
    `INSERT INTO kit.store_meta VALUES ('schema_version', '6'), ('log_id', 'the-log'), ('cursor_key', '${'ab'.repeat(32)}')`,
  );
});
afterEach(async () => {
  for (const stores of opened) await stores.close();
  await database.drop();
});

const version = async (): Promise<number> =>
  Number(
    (await database.query<{ value: string }>("SELECT value FROM kit.store_meta WHERE key = 'schema_version'"))[0]
      ?.value,
  );

/**
 * A report that reads the runs and holds their table for these seconds at least, and until
 * `isHeard`: a process that starts slowly meets it all the same.
 */
const report = (seconds: number, isHeard: () => boolean) =>
  withClient(database.url, async (client) => {
    await client.query('BEGIN; SELECT count(*) FROM kit.jobs');
    await client.query(`SELECT pg_sleep(${seconds})`);
    await expect.poll(isHeard).toBe(true);
    await client.query('COMMIT');
  });

/** Opens the store as one more process; `hits` and `words` are what it came by and said. */
async function open(nth: number, hits: string[], words: string[]): Promise<void> {
  const log: Log = { ...SILENT, warn: (message) => words.push(message) };
  const faults = { hit: (name: string) => void hits.push(name) };
  opened.push(
    await openPostgresStores({
      place: placeOf(database.url),
      poolSize: 1,
      maxOverflow: 2,
      ids: createIds(nth),
      faults,
      log,
    }),
  );
}

const isHeld = async (): Promise<boolean> =>
  (
    await database.query(
      "SELECT 1 FROM pg_locks WHERE relation = 'kit.jobs'::regclass AND mode = 'AccessShareLock' AND granted",
    )
  ).length > 0;

async function until(what: () => Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + 10_000;
  while (!(await what())) if (performance.now() > untilMs) throw new Error('it did not come to that');
}

describe('a migration of a PostgreSQL store that is in use', () => {
  it('waits for a reader of three seconds, says so, and holds up nobody else for longer than a write may wait', async () => {
    const [hits, words]: [string[], string[]] = [[], []];
    const reader = report(3, () => words.length > 0);
    await until(isHeld);
    let isOver = false;
    const opening = open(1, hits, words).finally(() => {
      isOver = true;
    });
    // A process of the version before: what it sends is given up after two seconds, as all of it
    // is.
    const others = withClient(database.url, async (client) => {
      await client.query("SET lock_timeout = '2s'");
      for (let nth = 0; !isOver; nth++) await client.query(`UPDATE kit.jobs SET priority = ${nth} WHERE id = 'x'`);
    });

    await Promise.all([opening, others, reader]);
    expect(await version()).toBe(SCHEMA_VERSION);
    expect(words).toEqual([expect.stringContaining('a transaction holds its tables')]);
  });

  it('is made by one of two processes that start at once: the other waits for all of it, says so, and finds nothing to do', async () => {
    const [hits, first, second]: [string[], string[], string[]] = [[], [], []];
    const reader = report(4, () => first.length > 0 && second.length > 0);
    await until(isHeld);

    await Promise.all([open(1, hits, first), open(2, hits, second), reader]);
    expect(hits.filter((hit) => hit === 'store.migrate:before')).toHaveLength(1);
    expect(await version()).toBe(SCHEMA_VERSION);
    expect([first.join(), second.join()].toSorted()).toEqual([
      expect.stringContaining('another process brings the store'),
      expect.stringContaining('a transaction holds its tables'),
    ]);
    expect(await database.query("SELECT value FROM kit.store_meta WHERE key = 'log_id'")).toEqual([
      { value: 'the-log' },
    ]);
  });

  it('has no limit of time for its statements, neither at the server nor in the driver', async () => {
    await database.query(`
      CREATE TABLE public.seen (tag TEXT, statement TEXT);
      CREATE FUNCTION public.note() RETURNS event_trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO public.seen VALUES (tg_tag, current_setting('statement_timeout')); END $$;
      CREATE EVENT TRIGGER noted ON ddl_command_end EXECUTE FUNCTION public.note();`);
    const connections = await createConnections({ place: placeOf(database.url), poolSize: 1, maxConnections: 1 });
    const { sql, close } = await connections.open();
    const patience = new Map<string, number | undefined>();
    const watched: SqlRunner = {
      ...sql,
      exec: (text, answerMs) => {
        patience.set(text, answerMs);
        return sql.exec(text, answerMs);
      },
    };
    await migrate({ sql: watched, faults: { hit: () => {} }, ids: createIds(1), schema: 'kit' });
    const timeout = await sql.get("SELECT current_setting('statement_timeout') AS value");
    await close();
    await connections.close();

    expect(await database.query('SELECT DISTINCT statement FROM public.seen')).toEqual([{ statement: '0' }]);
    expect(await database.query("SELECT 1 FROM public.seen WHERE tag = 'CREATE INDEX'")).not.toEqual([]);
    expect(patience.get(POSTGRES_MIGRATIONS[7])).toBeGreaterThan(HOUR_MS);
    expect(timeout).toEqual({ value: '30s' });
  });

  it('gives up on a table that is held for very long, says what to do, and changes nothing', async () => {
    await withClient(database.url, async (holder) => {
      await holder.query('BEGIN; SELECT count(*) FROM kit.events');
      const connections = await createConnections({ place: placeOf(database.url), poolSize: 1, maxConnections: 1 });
      const { sql, close } = await connections.open();
      let nowMs = 0;
      const sleep = async (): Promise<void> => {
        nowMs += HOUR_MS;
      };
      const pacing = { nowMs: () => nowMs, sleep };
      const migrating = migrate({ sql, faults: { hit: () => {} }, ids: createIds(1), schema: 'kit', pacing });

      await expect(migrating).rejects.toMatchObject({
        code: 'KIT_STORE_BUSY',
        hint: expect.stringContaining('pg_stat_activity'),
      });
      expect(await version()).toBe(6);
      await close();
      await connections.close();
      await holder.query('ROLLBACK');
    });
  });
});

describe('a statement on a connection whose answers have a limit', () => {
  it('may be given a longer one of its own', async () => {
    const client = new pg.Client({ connectionString: database.url, query_timeout: 100 });
    await client.connect();
    const sql = createSqlRunner(client, new Map());
    expect(await sql.exec('SELECT 1 AS one FROM pg_sleep(0.4)', 10_000)).toEqual([{ one: 1 }]);
    await expect(sql.exec('SELECT 1 AS one FROM pg_sleep(0.4)')).rejects.toThrow('timeout');
    await client.end();
  });
});
