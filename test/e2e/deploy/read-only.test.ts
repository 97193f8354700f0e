import { spawn } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/components/postgres.js';
import { projectRoot } from '../../support/kit-process.js';
import { makeWorld, type World } from '../world.js';
import { deployRoot } from './files.js';

const CALLER = 'key-of-the-caller-key-of-the-caller';

let world: World;
let database: TestDatabase;
beforeAll(async () => {
  [world, database] = await Promise.all([makeWorld(), createDatabase()]);
});
afterAll(async () => {
  await world.dispose();
  await database.drop();
});

describe('the processes of the template deploy, which may write to their state and to temporary files alone', () => {
  const environment = (state: string, temp: string) => ({
    PATH: world.env.PATH ?? '',
    HOME: join(state, 'home'),
    TMPDIR: temp,
    KIT_STATE_DIR: state,
    KIT_STORE_URL: database.url,
    KIT_STORE_POOL_SIZE: '5',
    KIT_STORE_MAX_OVERFLOW: '5',
    KIT_KEY_OPERATOR: 'key-of-the-operator-key-of-the-operator',
    KIT_KEY_CALLER: CALLER,
  });

  function start(argv: readonly string[]) {
    const [state, temp] = [join(world.base, 'state'), join(world.base, 'temporary')];
    for (const directory of [state, temp]) mkdirSync(directory, { recursive: true });
    const allowed = [
      '--allow-fs-read=*',
      `--allow-fs-write=${state}`,
      `--allow-fs-write=${temp}`,
      '--allow-addons',
      '--allow-child-process',
    ];
    const child = spawn(process.execPath, ['--permission', ...allowed, join(projectRoot, 'bin', 'kit.js'), ...argv], {
      env: environment(state, temp),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = { text: '' };
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.text += text;
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { child, said, ended };
  }

  it('accept a run, execute it and end in good order, with at most pool and overflow connections each', {
    timeout: 120_000,
  }, async () => {
    const workspace = join(world.base, 'workspace');
    cpSync(deployRoot, workspace, { recursive: true });
    const api = start(['serve', workspace, '--role', 'api', '--host', '127.0.0.1', '--port', '0']);
    try {
      await expect.poll(() => api.said.text).toMatch(/listening on http:\S+/);
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(api.said.text) ?? [''];
      const headers = { authorization: `Bearer ${CALLER}`, 'content-type': 'application/json' };
      const submit = async () =>
        (
          (await (
            await fetch(`${url}/run/hello`, { method: 'POST', headers, body: '{"input":"Greet Ada"}' })
          ).json()) as { id: string }
        ).id;
      await expect.poll(async () => (await fetch(`${url}/health`)).status).toBe(200);
      const ids = await Promise.all(Array.from({ length: 30 }, submit));

      const worker = start(['worker', workspace, '--once']);
      let most = 0;
      const count =
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kit'";
      const ended = worker.ended.then((code) => ({ code }));
      for (;;) {
        const over = await Promise.race([ended, new Promise<null>((resolve) => setTimeout(() => resolve(null), 20))]);
        most = Math.max(most, (await database.query<{ n: number }>(count))[0]?.n ?? 0);
        if (over === null) continue;
        expect(over.code, worker.said.text).toBe(0);
        break;
      }

      const rows = await database.query<{ id: string }>("SELECT id FROM kit.jobs WHERE status = 'completed'");
      expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
      expect(most).toBeGreaterThan(3);
      expect(most).toBeLessThanOrEqual(20);
    } finally {
      api.child.kill('SIGTERM');
    }
    expect(await api.ended, api.said.text).toBe(0);
    expect(api.said.text).not.toContain('ERR_ACCESS_DENIED');
  });
});
