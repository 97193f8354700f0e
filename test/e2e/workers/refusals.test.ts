import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lastOf } from '../world.js';
import { openFleet } from './fleet.js';

const NOWHERE = 'postgres://ada:hunter2@127.0.0.1:9/kit';
const UNREAD = { LOCAL_KEY: 'key', MODEL_URL: 'http://127.0.0.1:9' };

it('a start that cannot work is exit 2, names the setting, and writes nothing', {
  timeout: 180_000,
}, async () => {
  const { world, database, env, workspace } = await openFleet();
  const shared = workspace('shared');
  const local = world.files('local', {
    'workspace.yaml': 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: local, name: Local }\n',
  });
  const foreign = world.files('foreign', {
    'workspace.yaml': `apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: foreign, name: Foreign }
storage: { runtime: { backend: postgres, url: "\${RUNS_URL}" }, checkpoints: { backend: sqlite } }\n`,
  });
  const wrong = new URL(database.url);
  wrong.password = 'hunter2';
  const api = ['serve', '--port', '0', '--role', 'api'];
  const rows: readonly (readonly [readonly string[], NodeJS.ProcessEnv, string, string])[] = [
    [['worker', local], env, 'KIT_WORKER_REFUSED', 'storage.runtime'],
    [['worker', shared], { ...env, KIT_STORE_BACKEND: 'sqlite' }, 'KIT_WORKER_REFUSED', 'KIT_STORE_BACKEND'],
    [['worker', foreign], env, 'KIT_STORE_UNAVAILABLE', 'storage.checkpoints'],
    [['worker', shared, '--concurrency', '0'], env, 'KIT_USAGE', '--concurrency takes a whole number from 1'],
    [['worker', shared, '--concurrency', 'all'], env, 'KIT_USAGE', '--concurrency takes a whole number from 1'],
    [['worker', shared, '--class', 'fast'], env, 'KIT_USAGE', '--class takes no "fast"'],
    [['worker', shared], { ...world.env, ...UNREAD, RUNS_URL: NOWHERE }, 'KIT_STORE_UNAVAILABLE', 'cannot be reached'],
    [
      ['worker', shared],
      { ...world.env, ...UNREAD, RUNS_URL: wrong.href },
      'KIT_STORE_UNAVAILABLE',
      'refuses the user or the password',
    ],
    [['worker', world.base], env, 'KIT_WORKSPACE_NOT_FOUND', 'workspace.yaml'],
    [[...api, local], env, 'KIT_SERVE_REFUSED', 'storage.runtime'],
    [[...api, shared], { ...env, KIT_STORE_BACKEND: 'sqlite' }, 'KIT_SERVE_REFUSED', 'KIT_STORE_BACKEND'],
    [[...api, foreign], env, 'KIT_STORE_UNAVAILABLE', 'storage.checkpoints'],
  ];
  for (const [argv, variables, code, message] of rows) {
    const result = await world.here([...argv, '--json'], { env: variables });
    expect([argv, result.code, lastOf(result)]).toEqual([
      argv,
      2,
      expect.objectContaining({ type: 'error', code, exit: 2 }),
    ]);
    expect(String(lastOf(result).message)).toContain(message);
    expect(`${result.stdout}${result.stderr}`).not.toContain('hunter2');
  }
  for (const dir of [local, shared, foreign]) expect(existsSync(join(dir, '.kit'))).toBe(false);
  expect(await database.query("SELECT nspname FROM pg_namespace WHERE nspname = 'kit'")).toEqual([]);
  const said = await world.here(['worker', local], { env });
  expect(said.stderr).toContain('runtime: { backend: postgres, url: "${RUNS_URL}" }');
});
