import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../src/store/migrations.js';
import { createDatabase, type TestDatabase } from '../support/components/postgres.js';
import { openRewritingProxy } from '../support/rewriting-proxy.js';
import { localProvider, talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

/** A server is given up after 3.5 s; the machine may be busy with something else. */
const STORAGE = 'storage: { runtime: { backend: postgres, url: "${RUNS_URL}" } }\n';
const WITH_LOG = 'storage: { audit: { backend: postgres, url: "${LOG_URL}" } }\n';

let world: World;
let database: TestDatabase;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await database.drop();
});

const workspace = (name: string, storage = STORAGE): string =>
  world.files(name, talk({ provider: 'local', workspace: storage, files: { 'providers/local.yaml': localProvider } }));

/** Both ways to start working, at once: exit 2, nothing written, no password. */
async function refusal(name: string, env: NodeJS.ProcessEnv, storage = STORAGE) {
  const dir = workspace(name, storage);
  const given = { env: { LOCAL_KEY: 'key-of-the-test', MODEL_URL: 'http://127.0.0.1:1', ...env } };
  const results = await Promise.all([
    world.kit(['run', dir, 'talk', '--input', 'hi', '--json'], given),
    world.kit(['serve', dir, '--port', '0'], given),
  ]);
  const [run, serve] = results;
  expect(
    results.map(({ code }) => code),
    serve.stderr,
  ).toEqual([2, 2]);
  expect(existsSync(join(dir, '.kit'))).toBe(false);
  expect(results.map(({ stdout, stderr }) => `${stdout}${stderr}`).join('')).not.toContain('hunter2');
  const reported = lastOf(run);
  expect(serve.stderr).toContain(String(reported.message).split('\n')[0]);
  return { code: reported.code, text: `${reported.message} ${reported.hint}` };
}

const own = (change: { readonly [K in 'password' | 'pathname' | 'search' | 'username']?: string }): string =>
  Object.assign(new URL(database.url), change).href;
const nothingWritten = async () =>
  expect(await database.query("SELECT nspname FROM pg_namespace WHERE nspname = 'kit'")).toEqual([]);

/** A server that is something else, or nothing at all. */
async function listening(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    answer(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  // Listening on a port gives an address with one.
  return `postgres://ada:hunter2@127.0.0.1:${(server.address() as AddressInfo).port}/kit`;
}

describe('a pool is refused with exit 2 and the names of its variables', () => {
  it.each([
    ['that is not a number', { KIT_STORE_POOL_SIZE: 'many' }],
    ['that is not a whole number', { KIT_STORE_POOL_SIZE: '2.5' }],
    ['of none', { KIT_STORE_POOL_SIZE: '0' }],
    ['of less than none', { KIT_STORE_POOL_SIZE: '-3' }],
    ['that is too small with its overflow', { KIT_STORE_POOL_SIZE: '1', KIT_STORE_MAX_OVERFLOW: '1' }],
  ])('%s', async (name, env) => {
    const seen = await refusal(`pool ${name}`, { RUNS_URL: database.url, ...env });

    expect(seen).toMatchObject({ code: 'KIT_ENV_INVALID', text: expect.stringContaining('KIT_STORE_POOL_SIZE') });
    await nothingWritten();
  });
});

describe('a pool that is not a number', () => {
  it('is refused by what only looks, also where no store is, and by a migration', async () => {
    const dir = workspace('pool of lookers');
    const local = { LOCAL_KEY: 'key-of-the-test', MODEL_URL: 'http://127.0.0.1:1' };
    await world.kit(['run', dir, 'talk', '--input', 'hi', '--json'], {
      env: { ...local, RUNS_URL: database.url, KIT_STORE_BACKEND: 'sqlite' },
    });
    expect(existsSync(join(dir, '.kit', 'store.sqlite'))).toBe(true);

    const env = { ...local, RUNS_URL: database.url, KIT_STORE_POOL_SIZE: 'many' };
    const asked = [
      ['queue-stats'],
      ['top', '--once'],
      ['checkpoints'],
      ['storage', 'prune', '--dry-run'],
      ['storage', 'migrate', '--yes'],
    ];
    const results = await Promise.all(asked.map((words) => world.kit([...words, '--workspace', dir], { env })));

    expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
    for (const { stderr } of results) expect(stderr).toContain('KIT_STORE_POOL_SIZE');
    await nothingWritten();
  });
});

describe('a database of the runs is refused with exit 2 and the name of its setting', () => {
  it.each([
    ['that never speaks', (): Promise<string> => listening(() => undefined), 'cannot be reached'],
    [
      'where nothing listens',
      async (): Promise<string> => 'postgres://ada:hunter2@127.0.0.1:1/kit',
      'cannot be reached',
    ],
    [
      'at an address that swallows everything',
      async (): Promise<string> => 'postgres://ada:hunter2@192.0.2.1:5432/kit',
      'cannot be reached',
    ],
    [
      'at a name that nobody has',
      async (): Promise<string> => 'postgres://ada:hunter2@nobody.invalid/kit',
      'cannot be reached',
    ],
    [
      'that is a web server',
      (): Promise<string> =>
        listening((socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))),
      'cannot be reached',
    ],
    [
      'with a wrong password',
      async (): Promise<string> => own({ password: 'hunter2' }),
      'refuses the user or the password',
    ],
    ['that does not exist', async (): Promise<string> => own({ pathname: '/missing' }), 'there is no such database'],
    [
      'without the TLS that is demanded',
      async (): Promise<string> => own({ search: '?sslmode=require' }),
      'offers no TLS',
    ],
  ] as const)('%s', async (name, urlOf, message) => {
    const seen = await refusal(`url ${name}`, { RUNS_URL: await urlOf() });

    expect(seen.code).toBe('KIT_STORE_UNAVAILABLE');
    expect(seen.text).toContain(message);
    expect(seen.text).toContain('storage.runtime.url');
    await nothingWritten();
  });

  it('that a newer kit has written, which stays as it is', async () => {
    await database.query(`CREATE SCHEMA kit; CREATE TABLE kit.store_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
      INSERT INTO kit.store_meta VALUES ('schema_version', '${SCHEMA_VERSION + 1}')`);

    const seen = await refusal('newer', { RUNS_URL: database.url });

    expect(seen).toMatchObject({ code: 'KIT_STORE_NEWER', text: expect.stringContaining('storage.runtime.url') });
    expect(await database.query('SELECT count(*)::int AS rows FROM kit.store_meta')).toEqual([{ rows: 1 }]);
  });

  it('whose server is too old', async () => {
    const [real] = await database.query<{ version: string }>("SELECT current_setting('server_version_num') AS version");
    const old = await openRewritingProxy(database.url, { from: real?.version ?? '', to: '120022' });
    closing.push(old.close);

    const seen = await refusal('old', { RUNS_URL: old.url });

    expect(seen.text).toContain('the server is PostgreSQL 12, 13 or newer is needed');
    expect(seen.text).toContain('storage.runtime.url');
    await nothingWritten();
  });

  it('that cannot hold every text', async () => {
    const name = `${new URL(database.url).pathname.slice(1)}_ascii`;
    await database.query(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'`,
    );
    closing.push(() => database.query(`DROP DATABASE ${name} WITH (FORCE)`));

    const seen = await refusal('ascii', { RUNS_URL: own({ pathname: `/${name}` }) });

    expect(seen.text).toContain('SQL_ASCII');
    expect(seen.text).toContain('storage.runtime.url');
  });

  it('in which the role may do nothing', async () => {
    const role = `poor_${new URL(database.url).pathname.slice(1)}`;
    await database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'hunter2'`);
    closing.push(() => database.query(`DROP ROLE ${role}`));

    const seen = await refusal('poor', { RUNS_URL: own({ username: role, password: 'hunter2' }) });

    expect(seen).toMatchObject({
      code: 'KIT_STORE_UNAVAILABLE',
      text: expect.stringContaining('the role may not do what kit needs'),
    });
    expect(seen.text).toContain('storage.runtime.url');
    await nothingWritten();
  });
});

describe('a database of the log is refused with exit 2 before anything is written', () => {
  it.each([
    ['with a wrong password', (): string => own({ password: 'hunter2' }), 'refuses the user or the password'],
    ['that does not exist', (): string => own({ pathname: '/missing' }), 'there is no such database'],
    ['without the TLS that is demanded', (): string => own({ search: '?sslmode=require' }), 'offers no TLS'],
    ['whose URL is none', (): string => 'hunter2', 'is not a PostgreSQL URL'],
  ] as const)('%s', async (name, urlOf, message) => {
    const seen = await refusal(`log ${name}`, { LOG_URL: urlOf() }, WITH_LOG);

    expect(seen.text).toContain(message);
    expect(seen.text).toContain('storage.audit.url');
    await nothingWritten();
  });

  it.each([
    ['without a URL beside local runs', 'storage: { audit: { backend: postgres } }\n', 'no URL says where it is'],
    [
      'in a local file beside runs on a server',
      'storage: { runtime: { backend: postgres, url: "${RUNS_URL}" }, audit: { backend: sqlite } }\n',
      'a log of many machines cannot lie in a local file',
    ],
  ])('%s', async (name, storage, message) => {
    const seen = await refusal(`log ${name}`, { RUNS_URL: database.url }, storage);

    expect(seen.text).toContain('storage.audit names');
    expect(seen.text).toContain(message);
    await nothingWritten();
  });
});
