import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../../src/domain/faults.js';
import { SCHEMA_VERSION } from '../../../src/store/migrations.js';
import { createConnections } from '../../../src/store/postgres/connections.js';
import { locationOf } from '../../../src/store/postgres/location.js';
import {
  hasPostgresStore,
  openPostgresStores,
  type PostgresStoreOptions,
} from '../../../src/store/postgres/open-postgres-stores.js';
import { createDatabase, type TestDatabase } from '../../support/components/postgres.js';
import { placeOf } from '../../support/postgres-world.js';
import { createIds, newJob } from '../../support/store-samples.js';
import { SILENT } from '../../support/store-world.js';

describe('opening a PostgreSQL store', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(() => database.drop());

  const open = (over: Partial<PostgresStoreOptions> = {}) =>
    openPostgresStores({
      place: placeOf(database.url),
      poolSize: 1,
      maxOverflow: 1,
      ids: createIds(1),
      faults: NO_FAULTS,
      log: SILENT,
      ...over,
    });

  it('makes its tables in a schema of its own and shows where without the password', async () => {
    await database.query('CREATE TABLE public.jobs (id INTEGER)');
    expect(await hasPostgresStore(placeOf(database.url))).toBe(false);

    const stores = await open();

    expect(await hasPostgresStore(placeOf(database.url))).toBe(true);
    expect(stores.location).toMatch(/^postgres:\/\/kit@127\.0\.0\.1:\d+\/kit_test_/);
    expect(stores.location).not.toContain(new URL(database.url).password);
    await stores.jobs.insert(newJob('000000000001'), 'pending', []);
    expect(await database.query('SELECT * FROM public.jobs')).toEqual([]);
    await stores.close();
  });

  it('makes one store when several processes open an empty database at once', async () => {
    const all = await Promise.all([1, 2, 3, 4].map((n) => open({ ids: createIds(n) })));

    const meta = await database.query<{ key: string; value: string }>(
      'SELECT key, value FROM kit.store_meta ORDER BY key',
    );
    expect(meta).toMatchObject([
      { key: 'cursor_key' },
      { key: 'log_id' },
      { key: 'schema_version', value: String(SCHEMA_VERSION) },
    ]);
    for (const stores of all) await stores.close();
  });

  it('refuses a store that a newer kit has written, and leaves it as it is', async () => {
    await (await open()).close();
    await database.query("UPDATE kit.store_meta SET value = $1 WHERE key = 'schema_version'", [
      String(SCHEMA_VERSION + 1),
    ]);

    await expect(open()).rejects.toMatchObject({
      code: 'KIT_STORE_NEWER',
      exitCode: 2,
      data: { found: SCHEMA_VERSION + 1, known: SCHEMA_VERSION },
    });
  });

  /** What a setting of the database comes to on each kind of connection. */
  const settingUnder = async (setting: string, value: string) => {
    const name = new URL(database.url).pathname.slice(1);
    await database.query(`ALTER DATABASE ${name} SET ${setting} = ${value}`);
    const connections = await createConnections({ place: placeOf(database.url), poolSize: 1, maxConnections: 3 });
    const own = await connections.open();
    const ask = `SELECT current_setting('${setting}') AS value`;
    const values = [await own.sql.get(ask), await connections.read((sql) => sql.get(ask))];
    await own.close();
    await connections.close();
    return values;
  };

  it('commits synchronously also where the server is told not to, and leaves a stricter setting alone', async () => {
    expect(await settingUnder('synchronous_commit', 'off')).toEqual([{ value: 'on' }, { value: 'on' }]);
    expect(await settingUnder('synchronous_commit', 'remote_apply')).toEqual([
      { value: 'remote_apply' },
      { value: 'remote_apply' },
    ]);
  });

  it('has no plan compiled, which would cost each commit a tenth of a second', async () => {
    expect(await settingUnder('jit', 'on')).toEqual([{ value: 'off' }, { value: 'off' }]);
  });

  it.each([
    ['a wrong password', { password: 'wrong' }, 'refuses the user or the password'],
    ['a database that is not there', { pathname: '/missing' }, 'there is no such database'],
    ['a port where nothing listens', { port: '1' }, 'cannot be reached'],
  ])('refuses %s with exit 2 and names the setting', async (_, change, message) => {
    const url = Object.assign(new URL(database.url), change);

    const refused = open({ place: { url: url.href, setting: 'KIT_STORE_URL' } });

    await expect(refused).rejects.toMatchObject({
      code: 'KIT_STORE_UNAVAILABLE',
      exitCode: 2,
      message: expect.stringContaining(message),
      hint: expect.stringContaining('KIT_STORE_URL'),
    });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('wrong') });
  });

  it('gives up on a server that takes the connection and never speaks', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    // Listening on a port gives an address with one.
    const { port } = silent.address() as AddressInfo;

    await expect(open({ place: placeOf(`postgres://ada:secret@127.0.0.1:${port}/kit`) })).rejects.toMatchObject({
      code: 'KIT_STORE_UNAVAILABLE',
    });
    silent.close();
  });

  it('refuses a database that cannot hold every text', async () => {
    const name = `${new URL(database.url).pathname.slice(1)}_latin`;
    await database.query(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'`,
    );
    const url = new URL(database.url);
    url.pathname = `/${name}`;

    await expect(open({ place: placeOf(url.href) })).rejects.toMatchObject({
      code: 'KIT_STORE_UNAVAILABLE',
      hint: expect.stringContaining('UTF8'),
    });
    await database.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });

  it('shows a URL without what could be secret in it', () => {
    const shown = (url: string) => locationOf(placeOf(url));

    expect(shown('postgres://ada:secret@db.example:5432/runs?sslmode=require&password=secret')).toBe(
      'postgres://ada@db.example:5432/runs',
    );
    expect(shown('postgresql:///runs?host=/var/run/postgresql')).toBe('postgres:///var/run/postgresql/runs');
    expect(() => shown('secret')).toThrow('storage.runtime.url is not a PostgreSQL URL');
  });
});
