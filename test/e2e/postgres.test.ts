import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/components/postgres.js';
import { type LeaderServer, startLeaderServer } from './leader-server.js';
import { localProvider, talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

const STORAGE = 'storage: { runtime: { backend: postgres, url: "${RUNS_URL}" } }\n';

let world: World;
let server: LeaderServer;
beforeAll(async () => {
  [world, server] = await Promise.all([makeWorld(), startLeaderServer()]);
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

const envOf = (url: string | undefined) => ({
  MODEL_URL: server.url,
  LOCAL_KEY: 'key-of-the-test',
  ...(url === undefined ? {} : { RUNS_URL: url }),
});
const workspace = (name: string, storage = STORAGE): string =>
  world.files(name, talk({ provider: 'local', workspace: storage, files: { 'providers/local.yaml': localProvider } }));
const schemas = () => database.query<{ nspname: string }>("SELECT nspname FROM pg_namespace WHERE nspname = 'kit'");

describe('a workspace whose runs are kept in PostgreSQL', () => {
  it('keeps a run there and nothing in its folder', async () => {
    const dir = workspace('kept');

    const run = await world.kit(['run', dir, 'talk', '--input', 'hi', '--json'], { env: envOf(database.url) });

    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(lastOf(run)).toMatchObject({ type: 'result', status: 'completed', output: 'all done' });
    expect(existsSync(join(dir, '.kit'))).toBe(false);
    expect(await database.query('SELECT status FROM kit.jobs')).toEqual([{ status: 'completed' }]);
    expect(
      `${run.stdout}${run.stderr}${JSON.stringify(await database.query('SELECT * FROM kit.events'))}`,
    ).not.toContain(new URL(database.url).password);
  });

  it('goes on with a run from another copy of the workspace, as on another machine, which can also list and stop it', async () => {
    const [here, there] = [workspace('here'), workspace('there')];
    const env = envOf(database.url);
    server.hold();
    const live = world.start(['run', here, 'talk', '--input', 'hi', '--json'], { env, stdin: '' });
    await server.held();
    const id = String((await live.sees(/"run_id":"([0-9a-f]{12})"/))[1]);
    const stop = await world.kit(['stop', id.slice(0, 6), there, '--as', 'ada'], { env });
    // Nobody answers the call in flight: it is given up, and asked again by whoever goes on.
    const first = await live.ended;
    server.release();
    const listed = await world.kit(['checkpoints', there, '--json'], { env });
    const before = server.asked().length;
    const resumed = await world.kit(['run', there, '--resume', '--json'], { env });

    expect(stop.code).toBe(0);
    expect(stop.stdout).toContain(`run ${id} stops once its steps in flight have ended, calls of models at once`);
    expect(first.code).toBe(4);
    expect(lastOf(listed)).toMatchObject({ checkpoints: [{ id, status: 'stopped', blocked: null }] });
    expect(resumed.code).toBe(0);
    expect(lastOf(resumed)).toMatchObject({ id, status: 'completed', output: 'all done' });
    expect(server.asked().slice(before)).toEqual(['helper', 'boss']);
  });

  it('makes no store when somebody only looks for a run', async () => {
    const dir = workspace('looking');
    const env = envOf(database.url);

    const listed = await world.kit(['checkpoints', dir], { env });
    const stopped = await world.kit(['stop', '0123456789ab', dir, '--json'], { env });

    expect(listed.code).toBe(0);
    expect([stopped.code, lastOf(stopped).code]).toEqual([2, 'KIT_JOB_UNKNOWN']);
    expect(await schemas()).toEqual([]);
  });

  it('is found through KIT_STORE_URL too, which beats the workspace', async () => {
    const dir = workspace('by-variable', '');

    const run = await world.kit(['run', dir, 'talk', '--input', 'hi', '--json'], {
      env: { ...envOf(undefined), KIT_STORE_URL: database.url },
    });

    expect(lastOf(run)).toMatchObject({ type: 'result', status: 'completed' });
    expect(await database.query('SELECT count(*)::int AS runs FROM kit.jobs')).toEqual([{ runs: 1 }]);
    expect(existsSync(join(dir, '.kit'))).toBe(false);
  });
});

describe('a run is refused with exit 2 and writes nothing', () => {
  const refusal = async (dir: string, env: NodeJS.ProcessEnv) => {
    const results = await Promise.all([
      world.kit(['run', dir, 'talk', '--input', 'hi', '--json'], { env }),
      world.kit(['checkpoints', dir, '--json'], { env }),
    ]);
    expect(results.map((result) => result.code)).toEqual([2, 2]);
    expect(existsSync(join(dir, '.kit'))).toBe(false);
    expect(results.map((result) => `${result.stdout}${result.stderr}`).join('')).not.toContain('hunter2');
    return lastOf(results[0]);
  };

  it('when nothing answers at the URL', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    // Listening on a port gives an address with one.
    const { port } = silent.address() as AddressInfo;

    const seen = await refusal(workspace('silent'), envOf(`postgres://ada:hunter2@127.0.0.1:${port}/kit`));
    silent.close();

    expect(seen).toMatchObject({
      type: 'error',
      code: 'KIT_STORE_UNAVAILABLE',
      message: expect.stringContaining(`postgres://ada@127.0.0.1:${port}/kit cannot be reached`),
      hint: expect.stringContaining('storage.runtime.url'),
    });
  });

  it('when the password is wrong', async () => {
    const url = new URL(database.url);
    url.password = 'hunter2';

    const seen = await refusal(workspace('password'), envOf(url.href));

    expect(seen).toMatchObject({
      code: 'KIT_STORE_UNAVAILABLE',
      message: expect.stringContaining('refuses the user or the password'),
    });
    expect(await schemas()).toEqual([]);
  });

  it('when there is no such database, and when the text is not a URL', async () => {
    const url = new URL(database.url);
    url.pathname = '/missing';

    expect(await refusal(workspace('missing'), envOf(url.href))).toMatchObject({
      message: expect.stringContaining('there is no such database'),
    });
    expect(await refusal(workspace('no-url'), envOf('hunter2'))).toMatchObject({
      message: 'storage.runtime.url is not a PostgreSQL URL',
    });
  });

  it('when postgres is named and no URL says where it is', async () => {
    const seen = await refusal(workspace('nowhere', 'storage: { runtime: { backend: postgres } }\n'), envOf(undefined));

    expect(seen).toMatchObject({ code: 'KIT_STORE_UNAVAILABLE', hint: expect.stringContaining('KIT_STORE_URL') });
  });

  it('when artifacts are asked for in a local file', async () => {
    const elsewhere =
      'storage: { runtime: { backend: postgres, url: "${RUNS_URL}" }, artifacts: { backend: sqlite } }\n';

    const seen = await refusal(workspace('elsewhere', elsewhere), envOf(database.url));

    expect(seen).toMatchObject({
      code: 'KIT_STORE_UNAVAILABLE',
      message: expect.stringContaining('storage.artifacts names sqlite, and the runs lie on a server'),
    });
    expect(await schemas()).toEqual([]);
  });
});
