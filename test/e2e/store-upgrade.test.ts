import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeOldStore } from '../support/old-store.js';
import { talk } from './workspaces.js';
import { makeWorld, type World } from './world.js';

const LARGE = 60_000_000;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

function workspaceOf(name: string, bytes: number): string {
  const dir = world.files(name, talk());
  writeOldStore(join(dir, '.kit', 'store.sqlite'), bytes);
  return dir;
}

it('a command says on stderr that a large store is brought up to date, and how far it is', async () => {
  const dir = workspaceOf('command', LARGE);

  const { code, stdout, stderr } = await world.here(['run', dir, 'talk', '--input', 'hi', '--json']);

  expect(code).toBe(0);
  expect(stderr.split('\n')[0]).toMatch(
    /^The store \S+store\.sqlite \(\d+\.\d MiB\) is brought up to date, once for this version of kit; this takes about 2 s\.$/,
  );
  expect(stderr).toMatch(/^ {2}0% 0\/\d+ steps of bringing the store up to date$/m);
  expect(stderr).toMatch(/^100% (\d+)\/\1 steps of bringing the store up to date\nThe store is up to date\.$/m);
  expect(stdout).not.toContain('up to date');
  expect((await world.here(['status', dir])).stderr).toBe('');
});

it('says nothing of it where the store is small, or progress is not wanted', async () => {
  expect((await world.here(['status', workspaceOf('small', 1_000)])).stderr).toBe('');
  const quiet = { env: { KIT_QUIET: '1' } };
  expect((await world.here(['status', workspaceOf('quiet', LARGE)], quiet)).stderr).toBe('');
});

it('a server says it in its log', async () => {
  const server = world.start(['serve', workspaceOf('server', LARGE), '--port', '0']);
  await server.sees(/listening on/);
  server.child.kill('SIGTERM');
  const { stderr } = await server.ended;

  expect(stderr).toMatch(/^\S+Z info The store \S+ \(\d+\.\d MiB\) is brought up to date, once/m);
  expect(stderr).toMatch(/^\S+Z info The store is up to date\.$/m);
});
