import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { talk } from './workspaces.js';
import { makeWorld, type World } from './world.js';

let world: World;
let repo: string;
beforeAll(async () => {
  world = await makeWorld();
  const kit = world.files('repo/kit', talk());
  repo = join(kit, '..');
  mkdirSync(join(repo, '.git'));
});
afterAll(() => world.dispose());

describe('a command that names no workspace', () => {
  it('takes the only one below the root of the repository, and says so first', async () => {
    const run = await world.here(['run', 'talk', '--input', 'hi'], { cwd: repo });
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/^workspace kit \(the nearest below this directory; -w names another\)\n/);
    const status = await world.here(['status'], { cwd: repo });
    expect(status.stdout).toMatch(/talk/);
    const json = await world.here(['status', '--json'], { cwd: repo });
    expect([json.stderr, json.lines().at(-1)]).toEqual(['', expect.objectContaining({ type: 'result' })]);
  });

  it('takes the nearest above, and what it prints works where it stands', async () => {
    const inside = join(repo, 'kit', 'topologies');
    const run = await world.here(['status'], { cwd: inside });
    expect([run.code, run.stderr]).toEqual([0, 'workspace .. (the nearest above this directory; -w names another)\n']);
    const id = /[0-9a-f]{12}/.exec(run.stdout)?.[0] ?? '';
    expect((await world.here(['why', id], { cwd: inside })).code).toBe(0);
  });

  it('is told of several, and -w and KIT_WORKSPACE win without a search', async () => {
    world.files('repo/other', talk());
    const none = await world.here(['status'], { cwd: repo });
    expect(none.code).toBe(2);
    expect(none.stderr).toMatch(/^no workspace in this directory; below it are kit, other: name one with -w\n/);
    const named = await world.here(['status', '-w', 'kit'], { cwd: repo });
    expect([named.code, named.stderr]).toEqual([0, '']);
    const variable = await world.here(['status'], { cwd: repo, env: { KIT_WORKSPACE: 'other' } });
    expect([variable.code, variable.stderr]).toEqual([0, '']);
  });
});
