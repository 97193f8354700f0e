import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
let dir: string;
let run: string;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  world = await makeWorld();
  dir = world.files('shop', talk());
  run = String(lastOf(await world.here(['run', dir, 'talk', '--input', 'hi', '--json'])).id);
  env = { KIT_STATE_DIR: join(dir, '..', 'elsewhere') };
});
afterAll(() => world.dispose());

const UNREAD = /\.kit\/store\.sqlite is there too, and these settings do not read it: `?(KIT_\S+ kit status)/;

/** What a shell makes of the line that was printed: its variables, and the command. */
async function pasted(printed: string) {
  const [, line = ''] = UNREAD.exec(printed) ?? [];
  const variables = line.slice(0, line.indexOf(' kit '));
  const given = execFileSync('sh', ['-c', `${variables} env`], { env: { ...env }, encoding: 'utf8' });
  const state = /^KIT_STATE_DIR=(.*)$/m.exec(given)?.[1] ?? '';
  return world.here(['status'], { cwd: dir, env: { KIT_STATE_DIR: state } });
}

it.each([['status'], ['trace'], ['logs']])('kit %s of an empty store says where it looked', async (command) => {
  const done = await world.here([command], { cwd: dir, env });
  const said = done.stdout + done.stderr;
  expect(said).toMatch(
    /^nothing was ever run in this workspace; looked in .*elsewhere\/store\.sqlite \(KIT_STATE_DIR\)/,
  );
  expect((await pasted(said)).stdout).toContain(run);
});

it.each([
  [(): string[] => ['trace', run]],
  [(): string[] => ['why', run]],
  [(): string[] => ['why']],
  [(): string[] => ['resume', run]],
  [(): string[] => ['stop', run]],
  [(): string[] => ['diff', run]],
  [(): string[] => ['logs', run]],
])('a command that finds no such run names the file that may hold it', async (argv) => {
  const done = await world.here(argv(), { cwd: dir, env });
  expect([done.code, done.stderr]).toEqual([2, expect.stringMatching(UNREAD)]);
  expect((await pasted(done.stderr)).stdout).toContain(run);
});

it.each([['review', 'list'], ['checkpoints'], ['status', 'abc']])(
  'kit %s says what it did not list',
  async (...argv) => {
    const done = await world.here(argv, { cwd: dir, env });
    expect([done.code, done.stderr]).toEqual([0, expect.stringMatching(UNREAD)]);
  },
);

it('is silent where no other file is, and where the workspace was named says so in the line', async () => {
  const fresh = world.files('fresh', talk());
  expect((await world.here(['status', '-w', fresh])).stdout).toBe('nothing was ever run in this workspace\n');
  expect((await world.here(['status', '-w', dir], { env })).stdout).toMatch(/KIT_STATE_DIR= kit status -w \S+shop$/m);
  expect((await world.here(['storage', 'status'], { cwd: dir, env })).stdout).toMatch(
    /^runtime +sqlite +\S+elsewhere\/store\.sqlite +KIT_STATE_DIR$[\s\S]*holds runs .*`KIT_STATE_DIR= kit status` lists them/m,
  );
});
