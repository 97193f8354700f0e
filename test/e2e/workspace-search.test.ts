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

  it('refuses two words of which the first is not a directory, with the line that is meant', async () => {
    const refused = async (...argv: readonly string[]) => (await world.here(['run', ...argv], { cwd: repo })).stderr;
    expect(await refused('talk', 'hello there')).toContain(
      "hint: An input stands behind its flag: kit run talk --input 'hello there'\n",
    );
    expect(await refused('talk', 'kit')).toContain('hint: Swap them: kit run kit talk\n');
    expect(await refused('kit', 'talk', '-w', 'kit')).toContain('of two words the first is a workspace');
    expect(await refused('kit', 'talk', '-w', 'kit')).toContain(
      'and -w names one too\n  hint: Leave one of them out: kit run talk -w kit\n',
    );
    expect(await refused('talk', 'hello there', '-w', 'kit')).toContain(
      "and -w names one too\n  hint: An input stands behind its flag: kit run talk -w kit --input 'hello there'\n",
    );
    expect(await refused('nowhere', 'talk')).toMatch(
      /^error\[KIT_WORKSPACE_NOT_FOUND\]: .* nowhere is not a directory\n/,
    );
  });

  it('does not ask for the input that was given', async () => {
    const refused = async (...argv: readonly string[]) => (await world.here(argv, { cwd: repo })).stderr;
    const leave = 'hint: Name the directory of a workspace, or leave it out where you stand in one: ';
    expect(await refused('run', 'nowhere', 'talk', '-i', 'x')).toContain(`${leave}kit run talk --input TEXT\n`);
    expect(await refused('chat', 'nowhere', 'talk', '--input', 'x')).toContain(`${leave}kit chat talk --input TEXT\n`);
    expect(await refused('run', 'nowhere', 'talk', '-w', 'kit', '-i', 'x')).toContain(
      'hint: Leave one of them out: kit run talk -w kit\n',
    );
  });

  it('is told of several, and -w and KIT_WORKSPACE win without a search', async () => {
    world.files('repo/other', talk());
    const none = await world.here(['status'], { cwd: repo });
    expect(none.code).toBe(2);
    expect(none.stderr).toMatch(/^no workspace in this directory; below it are kit, other: name one with -w\n/);
    expect(none.stderr).toContain(
      'and 2 directories below it do\n  hint: Say which of them is meant: -w kit, -w other\n',
    );
    const run = await world.here(['run', 'talk', '--input', 'hi'], { cwd: repo });
    expect([run.code, run.stderr]).toEqual([
      2,
      expect.stringMatching(/below it kit, other have a topology talk\n {2}hint: .*: kit run kit talk --input TEXT\n$/),
    ]);
    const named = await world.here(['status', '-w', 'kit'], { cwd: repo });
    expect([named.code, named.stderr]).toEqual([0, '']);
    const variable = await world.here(['status'], { cwd: repo, env: { KIT_WORKSPACE: 'other' } });
    expect([variable.code, variable.stderr]).toEqual([0, '']);
    const wrong = await world.here(['status'], { cwd: repo, env: { KIT_WORKSPACE: 'gone' } });
    expect(wrong.stderr).toMatch(
      /gone holds no workspace.yaml; KIT_WORKSPACE names it\n {2}hint: Correct or unset KIT_WORKSPACE/,
    );
  });
});
