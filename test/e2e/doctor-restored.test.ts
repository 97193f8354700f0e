import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KitResult } from '../support/kit-process.js';
import { talk } from './workspaces.js';
import { makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const checksOf = (run: KitResult) => run.lines().at(-1)?.checks as readonly { readonly id: string }[];
const checkOf = (run: KitResult, id: string): unknown => checksOf(run).find((check) => check.id === id);
const doctor = (dir: string, env: NodeJS.ProcessEnv = {}): Promise<KitResult> =>
  world.here(['doctor', dir, '--json'], { env });

describe('kit doctor on the machine of a restored store', { timeout: 120_000 }, () => {
  it('tells that runs and people have lost their bytes, as after a restore without them', async () => {
    const dir = join(world.base, 'lost');
    for (const line of [
      ['init', dir, '--template', 'hello', '--yes'],
      ['new', 'role', 'reviewers', '-w', dir, '--member', 'ada'],
      ['new', 'funnel', 'sign-off', '-w', dir, '--role', 'reviewers', '--topology', 'hello'],
    ])
      expect(await world.here(line)).toMatchObject({ code: 0 });
    const run = await world.here(['run', dir, 'hello', '--input', 'hi', '--as', 'dana', '--json']);
    expect(run).toMatchObject({ code: 3 });
    expect(checkOf(await doctor(dir), 'bytes')).toMatchObject({
      status: 'ok',
      found: 'the bytes of the newest 1 run are intact',
    });
    rmSync(join(dir, '.kit/blobs'), { recursive: true });
    for (const flags of [[], ['--full']])
      expect(checkOf(await world.here(['doctor', dir, '--json', ...flags]), 'bytes')).toMatchObject({
        status: 'fail',
        found: expect.stringMatching(/^run \w{12}: what it goes on with is gone from the store$/),
        fix: expect.stringContaining('kit docs back-up-and-restore'),
      });
    // Whoever goes on without having asked the doctor is told the same.
    expect(await world.here(['resume', String(run.lines().at(-1)?.id), dir])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/error\[KIT_STORE_CORRUPT\]: what run \w{12} goes on with is gone .*\n.*back-up/),
    });
  });

  it('tells that a server would not know its callers here, and that runs need none', async () => {
    const keys = `server: { auth: { provider: api_key, config: { keys: [{ key_ref: 'env:ADA_KEY', client_id: ada, tier: run }] } } }\n`;
    const dir = world.files('callers', talk({ workspace: keys }));
    const run = await doctor(dir);
    expect(checkOf(run, 'server-auth')).toEqual({
      ...{ id: 'server-auth', status: 'warn' },
      found:
        'kit serve would not start here: server.auth cannot be used: a problem: 1. the key of "ada" is without effect: the environment variable ADA_KEY is not set (server.auth.config.keys)',
      fix: 'Set ADA_KEY.',
    });
    expect(run.code).toBe(0);
    const env = { ADA_KEY: 'planted-key-of-ada-0123456789' };
    const known = await doctor(dir, env);
    expect(checkOf(known, 'server-auth')).toMatchObject({ status: 'ok', found: 'api_key can be used' });
    expect(known.stdout).not.toContain(env.ADA_KEY);
  });
});
