import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OPTIONAL_PACKAGES } from '../../src/domain/optional-packages.js';
import { createDatabase, type TestDatabase } from '../support/components/postgres.js';
import { type CutProxy, openCutProxy } from '../support/cut-proxy.js';
import { type LeaderServer, startLeaderServer } from './leader-server.js';
import { localProvider, talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

const WAIT = { timeout: 60_000, interval: 100 } as const;
const LOG = 'audit: { backend: postgres, url: "${LOG_URL}" }';
const PLACES = {
  local: `storage: { ${LOG} }\n`,
  server: `storage: { runtime: { backend: postgres, url: "\${RUNS_URL}" }, ${LOG} }\n`,
} as const;

let world: World;
let server: LeaderServer;
beforeAll(async () => {
  [world, server] = await Promise.all([makeWorld(), startLeaderServer()]);
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

let [runs, log]: TestDatabase[] = [];
let line: CutProxy;
beforeEach(async () => {
  [runs, log] = await Promise.all([createDatabase(), createDatabase()]);
  line = await openCutProxy(log.url);
});
afterEach(async () => {
  await line.close();
  await Promise.all([runs?.drop(), log?.drop()]);
});

const envOf = () => ({ MODEL_URL: server.url, LOCAL_KEY: 'key-of-the-test', RUNS_URL: runs?.url, LOG_URL: line.url });
const workspace = (name: string, storage: string): string =>
  world.files(name, talk({ provider: 'local', workspace: storage, files: { 'providers/local.yaml': localProvider } }));
const copied = async () => {
  const there = await log?.query<{ there: boolean }>("SELECT to_regclass('kit.events') IS NOT NULL AS there");
  return there?.[0]?.there === true
    ? ((await log?.query<{ job_id: string; type: string }>('SELECT job_id, type FROM kit.events ORDER BY pos')) ?? [])
    : [];
};
const start = (dir: string) => world.here(['run', dir, 'talk', '--input', 'hi', '--json'], { env: envOf() });
const statusOf = async (dir: string) =>
  lastOf(await world.here(['storage', 'status', dir, '--json'], { env: envOf() }));

describe.each(['local', 'server'] as const)('a log in a database of its own beside runs (%s)', (place) => {
  it('is there when the run has ended, and says so', async () => {
    const dir = workspace(`kept ${place}`, PLACES[place]);

    const run = await start(dir);

    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect((await copied()).map(({ type }) => type)).toEqual(expect.arrayContaining(['run.started', 'run.ended']));
    expect(await statusOf(dir)).toMatchObject({
      stores: expect.arrayContaining([
        expect.objectContaining({
          store: 'audit',
          backend: 'postgres',
          source: 'storage.audit',
          setting: 'storage.audit.url',
        }),
      ]),
      audit_copy: { behind_events: 0, behind_seconds: 0, error: null },
    });
    const events = await world.here(['logs', dir, '--json'], { env: envOf() });
    expect(events.code).toBe(0);
  });

  it('that is gone fails no run: it is told what is missing, and the next process copies it', async () => {
    const dir = workspace(`gone ${place}`, PLACES[place]);
    line.set('cut');

    const run = await start(dir);
    const behind = await statusOf(dir);
    const before = await copied();
    line.set('whole');
    const next = await start(dir);

    expect(run.code).toBe(0);
    expect(lastOf(run)).toMatchObject({ status: 'completed' });
    expect(run.stderr).toContain('still to be copied to storage.audit');
    expect(run.stderr.match(/cannot be copied to storage.audit now/g) ?? []).toHaveLength(1);
    expect(behind.audit_copy).toMatchObject({ error: expect.stringMatching(/./) });
    expect(before).toEqual([]);
    expect(next).toMatchObject({ code: 0, stderr: '' });
    const jobs = (await copied()).filter(({ type }) => type === 'run.ended').map(({ job_id }) => job_id);
    expect(jobs).toEqual([lastOf(run).id ?? lastOf(run).run_id, lastOf(next).id ?? lastOf(next).run_id]);
  });
});

it('is caught up by a server, which tells how far it is behind', async () => {
  const dir = workspace('served', PLACES.server);
  line.set('cut');
  await start(dir);
  const live = world.start(['serve', dir, '--port', '0'], { env: envOf() });
  const [, base = ''] = await live.sees(/(http:\/\/127\.0\.0\.1:\d+)/);
  const metrics = async () => (await fetch(`${base}/metrics`)).text();

  await expect.poll(metrics, WAIT).toContain('kit_audit_up 0');
  line.set('whole');
  await expect
    .poll(() => copied().then((rows) => rows.filter(({ type }) => type === 'run.ended').length), WAIT)
    .toBe(1);
  await expect.poll(metrics, WAIT).toMatch(/kit_audit_up 1\n.*kit_audit_behind_events 0\n/s);

  live.child.kill('SIGTERM');
  expect((await live.ended).code).toBe(0);
});

describe('without the package pg', () => {
  const HIDE_PG = `data:text/javascript,${encodeURIComponent(
    "import { registerHooks } from 'node:module'; registerHooks({ resolve(name, context, next) { if (name === 'pg') throw Object.assign(new Error('Cannot find package pg'), { code: 'ERR_MODULE_NOT_FOUND' }); return next(name, context); } });",
  )}`;
  const without = () => ({ ...envOf(), NODE_OPTIONS: `--import=${HIDE_PG}` });
  const bare = (dir: string) => world.kit(['run', dir, 'talk', '--input', 'hi', '--json'], { env: without() });

  it('a journal that is wanted on a server lies with the local runs, with a warning, as it does with the package', async () => {
    const dir = workspace('degraded', 'storage: { checkpoints: { backend: postgres, url: "${RUNS_URL}" } }\n');

    const run = await bare(dir);
    const status = await world.kit(['storage', 'status', dir, '--json'], { env: without() });
    const withPg = await start(dir);

    expect(run.code).toBe(0);
    for (const { stderr } of [run, withPg]) expect(stderr).toContain('the journal is kept with the runs');
    expect(lastOf(status)).toMatchObject({
      stores: expect.arrayContaining([
        expect.objectContaining({
          store: 'checkpoints',
          backend: 'sqlite',
          source: 'storage.checkpoints → storage.runtime',
        }),
      ]),
      warnings: [expect.stringContaining('the journal is kept with the runs')],
    });
    expect(withPg).toMatchObject({ code: 0 });
  });

  it.each([
    ['runs', 'storage: { runtime: { backend: postgres, url: "${RUNS_URL}" } }\n', 'storage.runtime.url'],
    ['a log', PLACES.local, 'storage.audit.url'],
  ])('%s on a server are refused with exit 2', async (what, storage, setting) => {
    const run = await bare(workspace(`no pg for ${what}`, storage));

    expect(run.code).toBe(2);
    expect(lastOf(run)).toMatchObject({
      code: 'KIT_STORE_UNAVAILABLE',
      message: `${setting} names a PostgreSQL server, and the package pg cannot be loaded`,
      hint: expect.stringContaining(`npm install --global pg@${OPTIONAL_PACKAGES.pg.version}`),
    });
  });
});
