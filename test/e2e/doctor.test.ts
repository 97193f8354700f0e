import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/components/postgres.js';
import type { KitResult } from '../support/kit-process.js';
import { until } from '../support/processes.js';
import { dumpSchema } from '../support/schema-dump.js';
import { makeRepositoryIn } from './repository.js';
import { harnessWorkspace, talk } from './workspaces.js';
import { makeWorld, type World } from './world.js';

let world: World;
let database: TestDatabase;
beforeAll(async () => {
  [world, database] = await Promise.all([makeWorld(), createDatabase()]);
});
afterAll(async () => {
  await database.drop();
  await world.dispose();
});

interface Check {
  readonly id: string;
  readonly status: string;
  readonly found: string;
  readonly fix: string | null;
}
const checksOf = (run: KitResult): readonly Check[] => run.lines().at(-1)?.checks as readonly Check[];
const checkOf = (run: KitResult, id: string): Check | undefined => checksOf(run).find((check) => check.id === id);
const failing = (run: KitResult): readonly string[] =>
  checksOf(run).flatMap(({ id, status }) => (status === 'fail' ? [id] : []));
const doctor = (dir: string, env: NodeJS.ProcessEnv = {}): Promise<KitResult> =>
  world.here(['doctor', dir, '--json'], { env });

const MINUTES = 300_000;

describe('kit doctor', () => {
  it('finds nothing to fix where everything is as it should be, and writes nothing', async () => {
    const dir = world.files('good', talk());
    const [text, json] = [await world.here(['doctor', dir]), await doctor(dir)];
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(/^ok +node +Node\.js /m);
    expect(text.stdout).toMatch(/\d+ ok, .*\n$/);
    expect(json).toMatchObject({ code: 0, stderr: '' });
    expect(json.lines()).toHaveLength(1);
    expect(json.lines()[0]).toMatchObject({ type: 'result', ok: true, workspace: dir });
    expect(checkOf(json, 'topology.talk@1.0.0')?.status).toBe('ok');
    expect(existsSync(join(dir, '.kit'))).toBe(false);
  });

  it('names a key that is not set and a credential that cannot be had, each with what to type', async () => {
    const workspace =
      'credentials:\n  pager: { source: env, config: { env: PAGER_TOKEN } }\n  lies: { source: file, config: { path: lies.txt } }\n';
    const dir = world.files(
      'keys',
      talk({ provider: 'openai', workspace, files: { 'lies.txt': 'planted-file-secret' } }),
    );
    const run = await doctor(dir);
    expect(run.code).toBe(1);
    expect(checkOf(run, 'provider.openai')).toEqual({
      id: 'provider.openai',
      status: 'fail',
      found: 'OPENAI_API_KEY is not set',
      fix: 'export OPENAI_API_KEY=<your key>',
    });
    expect(checkOf(run, 'credential.pager')).toMatchObject({ status: 'fail', fix: 'Set PAGER_TOKEN.' });
    expect(checkOf(run, 'credential.lies')?.status).toBe('ok');
    expect(failing(run)).toEqual(expect.arrayContaining(['topology.talk@1.0.0']));
  });

  it('shows no secret, wherever it was planted', async () => {
    const workspace =
      'credentials:\n  pager: { source: env, config: { env: PAGER_TOKEN } }\nstorage: { runtime: { backend: postgres, url: "${RUNS_URL}" } }\n';
    const dir = world.files('secret', talk({ provider: 'openai', workspace }));
    const env = {
      OPENAI_API_KEY: 'planted-openai-key',
      PAGER_TOKEN: 'planted-pager-token',
      KIT_OAUTH_KEY: 'planted-oauth-key',
      KIT_SIGNING_KEY: 'planted-signing-key',
      RUNS_URL: 'postgres://planted-user:planted-password@127.0.0.1:1/runs?password=planted-query',
    };
    for (const run of [
      await doctor(dir, env),
      await world.here(['doctor', dir], { env }),
      await world.kit(['doctor', dir, '--crash'], { env }),
    ]) {
      expect(run.code).not.toBe(0);
      expect(`${run.stdout}${run.stderr}`).not.toMatch(/planted-(openai|pager|oauth|signing|password|query)/);
    }
  });

  it('looks at the rest of the machine where the workspace is broken, and says so once', async () => {
    const dir = world.files('broken', { ...talk(), 'topologies/talk.yaml': 'kind: [' });
    const run = await doctor(dir);
    expect(run.code).toBe(1);
    expect(failing(run)).toEqual(['workspace']);
    expect(checkOf(run, 'workspace')?.fix).toBe(`kit validate ${dir}`);
    expect(checkOf(run, 'node')?.status).toBe('ok');
    expect(checkOf(run, 'providers')?.status).toBe('skipped');
    const empty = world.files('empty', {});
    expect(failing(await doctor(empty))).toEqual(['workspace']);
  });

  it('names a variable that cannot be read', async () => {
    const run = await doctor(world.files('variable', talk()), { KIT_STORE_POOL_SIZE: 'many' });
    expect(failing(run)).toEqual(['environment']);
    expect(checkOf(run, 'environment')?.found).toContain('KIT_STORE_POOL_SIZE');
  });

  it('names a store that does not answer with the setting to change, within its time, also where nothing ever answers', async () => {
    const dir = world.files('down', talk());
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    try {
      const address = silent.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      for (const url of ['postgres://u:p@127.0.0.1:1/x', `postgres://u:p@127.0.0.1:${port}/x`]) {
        const run = await doctor(dir, { KIT_STORE_URL: url });
        expect(run.code).toBe(1);
        expect(failing(run)).toEqual(['store.runtime']);
        expect(checkOf(run, 'store.runtime')?.fix).toContain('KIT_STORE_URL');
        expect(checkOf(run, 'clock')?.status).toBe('skipped');
        expect(checkOf(run, 'store.audit')?.status).toBe('skipped');
      }
    } finally {
      silent.close();
    }
  });

  it("measures the store's clock against this machine's, and a server that allows too few connections", async () => {
    const dir = world.files('clock', talk());
    const env = { KIT_STORE_URL: database.url, KIT_STORE_POOL_SIZE: '400' };
    expect(
      await world.kit(['run', dir, 'talk', '--input', 'hi'], { env: { KIT_STORE_URL: database.url } }),
    ).toMatchObject({ code: 0 });
    const before = await doctor(dir, env);
    expect(checkOf(before, 'clock')?.status).toBe('ok');
    expect(checkOf(before, 'store.runtime')).toMatchObject({
      status: expect.stringMatching(/ok|warn/),
      found: expect.stringContaining('schema version'),
    });
    expect(checkOf(before, 'store.runtime.connections')).toMatchObject({
      status: 'fail',
      fix: expect.stringContaining('KIT_STORE_POOL_SIZE='),
    });
    await database.elapse(7_000);
    expect(checkOf(await doctor(dir, env), 'clock')).toMatchObject({
      status: 'warn',
      found: expect.stringMatching(/^this machine is [67]\.\d s behind/),
    });
    await database.elapse(30_000);
    expect(checkOf(await doctor(dir, env), 'clock')).toMatchObject({
      status: 'fail',
      fix: expect.stringContaining('timedatectl'),
    });
  });

  it('names an adapter that nobody approved with its digest, and a program that is not there; neither is started', async () => {
    const started = join(world.base, 'started');
    const root = makeRepositoryIn(world, 'harness', harnessWorkspace(`touch ${started}`)).root;
    const run = await doctor(root);
    expect(checkOf(run, 'harness.own')).toMatchObject({
      status: 'fail',
      fix: expect.stringMatching(/adapters\/own\.yaml.*kit run .* own --trust [0-9a-f]{64}/),
    });
    expect(existsSync(started)).toBe(false);
    const nowhere = join(world.base, 'nowhere');
    mkdirSync(nowhere, { recursive: true });
    const lost = await doctor(root, { PATH: nowhere });
    expect(failing(lost)).toContain('git');
  });

  it('names a signing key that others can read, and a state directory that others may enter', async () => {
    const dir = world.files('private', talk());
    const key = join(world.base, 'key.pem');
    writeFileSync(
      key,
      execFileSync(process.execPath, [
        '-e',
        "process.stdout.write(require('crypto').generateKeyPairSync('ed25519').privateKey.export({format:'pem',type:'pkcs8'}))",
      ]),
    );
    chmodSync(key, 0o644);
    mkdirSync(join(dir, '.kit'), { mode: 0o755 });
    const run = await doctor(dir, { KIT_SIGNING_KEY: key });
    expect(checkOf(run, 'signing-key')).toMatchObject({
      status: 'fail',
      fix: expect.stringContaining('chmod 600 "$KIT_SIGNING_KEY"'),
    });
    expect(checkOf(run, 'state-dir')).toMatchObject({ status: 'warn', fix: `chmod 700 '${dir}/.kit'` });
    expect(readdirSync(join(dir, '.kit'))).toEqual([]);
  });

  it.each([
    [['--share', '0.5'], /--crash/],
    [['--crash', '--share', '0'], /--share 0/],
    [['--crash', '--share', 'x'], /--share x/],
    [['--crash', '--seed', 'x'], /seed/],
  ])('refuses %j with exit 2', async (flags, message) => {
    const run = await world.here(['doctor', world.files('usage', talk()), ...flags]);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(message);
  });
});

const schemas = async (): Promise<readonly string[]> =>
  (
    await database.query<{ nspname: string }>(
      "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, 'kit_crash_')",
    )
  ).map(({ nspname }) => nspname);

describe('kit doctor --crash', () => {
  it(
    'recovers from a kill at a share of the fault points on SQLite, and leaves nothing in the workspace',
    async () => {
      const dir = world.files('crash-sqlite', talk());
      const run = await world.kit(['doctor', dir, '--crash', '--share', '0.06', '--seed', '3']);
      expect(run.stdout).toMatch(/^3\/3 recovered, \d+ repeated, 0 lost \(sqlite, 3 of \d+ fault points by seed 3, /);
      expect(run.code).toBe(0);
      expect(run.stderr).toMatch(/3\/3 points/);
      expect(existsSync(join(dir, '.kit'))).toBe(false);
      expect(world.leftovers()).toEqual([]);
    },
    MINUTES,
  );

  it(
    'recovers from it on PostgreSQL in schemas of its own: of the store that is there not one byte changes',
    async () => {
      const dir = world.files('crash-postgres', talk());
      const env = { KIT_STORE_URL: database.url };
      expect(await world.kit(['run', dir, 'talk', '--input', 'hi'], { env })).toMatchObject({ code: 0 });
      const before = await dumpSchema(database, 'kit');
      const run = await world.kit(['doctor', dir, '--crash', '--share', '0.06', '--seed', '5', '--json'], { env });
      expect(run.lines()).toHaveLength(1);
      expect(run.lines()[0]).toMatchObject({
        type: 'result',
        ok: true,
        store: 'postgres',
        chosen: 3,
        recovered: 3,
        lost: 0,
        failures: [],
      });
      expect(run.code).toBe(0);
      expect(await dumpSchema(database, 'kit')).toEqual(before);
      expect(before.length).toBeGreaterThan(20);
      expect(await schemas()).toEqual([]);
      expect(world.leftovers()).toEqual([]);
    },
    MINUTES,
  );

  it(
    'finds a password where the user keeps it, in .pgpass of their home',
    async () => {
      const dir = world.files('crash-pgpass', talk());
      const url = new URL(database.url);
      const { hostname, port, username, password } = url;
      url.password = '';
      writeFileSync(join(world.home.path, '.pgpass'), `${hostname}:${port}:*:${username}:${password}\n`, {
        mode: 0o600,
      });
      try {
        const run = await world.kit(['doctor', dir, '--crash', '--share', '0.02', '--json'], {
          env: { KIT_STORE_URL: url.href },
        });
        expect(run.lines().at(-1)).toMatchObject({
          type: 'result',
          ok: true,
          store: 'postgres',
          lost: 0,
          failures: [],
        });
        expect(`${run.stdout}${run.stderr}`).not.toContain(password);
      } finally {
        rmSync(join(world.home.path, '.pgpass'));
      }
    },
    MINUTES,
  );

  it(
    'drops its schemas and ends its processes when it is interrupted',
    async () => {
      const dir = world.files('crash-cut', talk());
      const live = world.start(['doctor', dir, '--crash'], { env: { KIT_STORE_URL: database.url }, stdin: '' });
      await until('a scratch schema is there', async () => (await schemas()).length > 0, 60_000);
      live.child.kill('SIGINT');
      const { code } = await live.ended;
      expect(code).toBe(130);
      expect(await schemas()).toEqual([]);
      expect(world.leftovers()).toEqual([]);
    },
    MINUTES,
  );
});
