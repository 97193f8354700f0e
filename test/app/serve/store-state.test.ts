import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createStoreState } from '../../../src/app/serve/store-state.js';
import { KitError } from '../../../src/domain/errors.js';
import { NO_FAULTS } from '../../../src/domain/faults.js';
import { realPacing } from '../../../src/store/pacing.js';
import { openConnection } from '../../../src/store/sqlite/connection.js';
import { WatchedQueue } from '../../../src/store/sqlite/watched-queue.js';
import { openPostgresWorld } from '../../support/postgres-world.js';
import { openSqliteWorld } from '../../support/store-world.js';

/** A clock that stands where it is set; nothing sleeps to its end. */
const standing = () => {
  const clock = { nowMs: 0, now: () => clock.nowMs, sleep: () => new Promise<void>(() => undefined) };
  return clock;
};

it.each([
  ['KIT_STORE_FULL', 'store-full'],
  ['KIT_STORE_READ_ONLY', 'store-read-only'],
  ['KIT_STORE_GONE', 'store-gone'],
  ['KIT_STORE_CORRUPT', 'store-corrupt'],
  ['KIT_STORE_UNAVAILABLE', 'store-unavailable'],
] as const)('%s of a write is %s at once, and the store is asked at most every 5 s', async (code, state) => {
  const clock = standing();
  let probes = 0;
  let trouble: typeof code | null = null;
  const writing = {
    trouble: () => trouble,
    probe: async () => {
      probes += 1;
      if (trouble !== null) throw new KitError(trouble, 'no');
    },
  };
  const ask = createStoreState(clock);
  expect(await ask(writing)).toBe('ok');
  trouble = code;
  expect(await ask(writing)).toBe(state);
  clock.nowMs = 4_999;
  expect([await ask(writing), probes]).toEqual([state, 1]);
  clock.nowMs = 5_000;
  expect([await ask(writing), probes]).toEqual([state, 2]);
  trouble = null;
  expect(await ask(writing)).toBe('ok');
});

async function openFile() {
  const directory = await mkdtemp(join(tmpdir(), 'kit-room-'));
  const { sql, close } = await openConnection({ path: join(directory, 's'), mode: 'write', pacing: realPacing });
  sql.exec("CREATE TABLE store_meta (key TEXT PRIMARY KEY, value TEXT); INSERT INTO store_meta VALUES ('log_id', 'x')");
  sql.exec('CREATE TABLE t (text TEXT)');
  const queue = new WatchedQueue({
    ...{ sql, faults: NO_FAULTS, pacing: realPacing, directory },
    ...{ assertThere: () => undefined, onCommit: () => undefined },
  });
  return {
    ...{ sql, queue },
    take: (bytes: number) => queue.run([], (db) => db.run('INSERT INTO t VALUES (@text)', { text: 'x'.repeat(bytes) })),
    async dispose() {
      await queue.close();
      close();
      await rm(directory, { recursive: true });
    },
  };
}

it('a file of SQLite without room is full until there is some, whatever small writes come to', async () => {
  const { sql, queue, take, dispose } = await openFile();
  sql.pragma(`max_page_count = ${Number(sql.pragma('page_count')) + 1}`);
  await expect(take(200_000)).rejects.toMatchObject({ code: 'KIT_STORE_FULL' });
  await take(10);
  expect(queue.writing.trouble()).toBe('KIT_STORE_FULL');
  await expect(queue.writing.probe()).rejects.toMatchObject({ code: 'KIT_STORE_FULL' });
  sql.pragma(`max_page_count = ${Number(sql.pragma('page_count')) + 500}`);
  await queue.writing.probe();
  expect(queue.writing.trouble()).toBeNull();
  await take(200_000);
  expect(sql.all('SELECT key FROM store_meta', {})).toEqual([{ key: 'log_id' }]);
  await dispose();
});

it('a file of SQLite without room is found before a run is refused', async () => {
  const { sql, queue, dispose } = await openFile();
  sql.pragma(`max_page_count = ${Number(sql.pragma('page_count'))}`);
  await expect(queue.writing.probe()).rejects.toMatchObject({ code: 'KIT_STORE_FULL' });
  expect(queue.writing.trouble()).toBe('KIT_STORE_FULL');
  await dispose();
});

it('a database of PostgreSQL whose disk is full says so until it has room', async () => {
  const world = await openPostgresWorld();
  const { writing } = world.stores;
  await writing.probe();
  expect(writing.trouble()).toBeNull();
  await world.database.query(
    `CREATE FUNCTION kit.full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room' USING ERRCODE = '53100'; END $$`,
  );
  await world.database.query(
    'CREATE TRIGGER full_disk BEFORE UPDATE ON kit.store_meta FOR EACH ROW EXECUTE FUNCTION kit.full()',
  );
  await expect(writing.probe()).rejects.toMatchObject({
    code: 'KIT_STORE_FULL',
    message: 'the disk of the database has no room: no room',
  });
  expect(writing.trouble()).toBe('KIT_STORE_FULL');
  await world.database.query('DROP TRIGGER full_disk ON kit.store_meta');
  await writing.probe();
  expect(writing.trouble()).toBeNull();
  await world.dispose();
});

it('a store of SQLite answers the probe', async () => {
  const world = await openSqliteWorld();
  await world.stores.writing.probe();
  expect(world.stores.writing.trouble()).toBeNull();
  await world.dispose();
});
