import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADDED, type Files, MISTAKES, type Mistake, PLAIN, RELEASE, SKILL, SOUND, WORKSPACE } from './mistakes.js';
import { makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const edited = ([, file, from, to]: Mistake): Files => {
  const text = SOUND[file] ?? '';
  const changed = text.replace(from, () => to);
  if (changed === text) throw new Error(`${file} has no ${String(from)}`);
  // Where an agent has the skill, what it lacks stops runs.
  const files = { ...SOUND, [file]: changed };
  return file === SKILL
    ? { ...files, [PLAIN]: (SOUND[PLAIN] ?? '').replace('role: root,', 'role: root, skills: [find],') }
    : files;
};

describe('a broken workspace', () => {
  it('is not the one that the mistakes are made in', async () => {
    const sound = await world.here(['validate', world.files('sound', SOUND)]);
    expect([sound.code, sound.stdout]).toEqual([0, expect.stringMatching(/^ok gated/m)]);
  });

  it.each(MISTAKES.map((mistake, at) => [mistake[0], mistake, at] as const))('%s', async (_what, mistake, at) => {
    const found = await world.here(['validate', world.files(`broken-${at}`, edited(mistake)), '--no-color']);
    expect(found.code).toBe(1);
    const [first = ''] = found.stdout.split(/\n\n(?=\w+\[)/);
    expect(first).toMatch(/^error\[[a-z.-]+\]: /);
    expect(first).toMatch(new RegExp(`--> ${mistake[1].replace('.', '\\.')}`));
    expect(first).toMatch(mistake[4]);
    // The text that fixes it stands there too.
    expect(first).toMatch(/^ +(?:\||=) help: \S/m);
  });

  it.each([
    ['a folder with a letter missing', 'skill/other.yaml', SOUND[SKILL] ?? '', /did you mean skills\//],
    ['an id twice', 'skills/other.yaml', SOUND[SKILL] ?? '', /`find`/],
    ['a second workspace file', 'workspace.yml', SOUND[WORKSPACE] ?? '', /workspace\.y/],
  ])('%s', async (what, path, text, says) => {
    const found = await world.here(['validate', world.files(what.replaceAll(' ', '-'), { ...SOUND, [path]: text })]);
    expect([found.code, found.stdout]).toEqual([1, expect.stringMatching(says)]);
  });

  it.each(ADDED)('%s', async (what, path, text, says) => {
    const files = { ...SOUND, [path]: text };
    const found = await world.here(['validate', world.files(what.replaceAll(' ', '-'), files), '--no-color']);
    expect(found.code, found.stdout).toBe(1);
    const [first = ''] = found.stdout.split(/\n\n(?=\w+\[)/);
    expect(first).toContain(`--> ${path}`);
    expect(first).toMatch(says);
    expect(first).toMatch(/help: \S/);
  });

  it('is fixed by --fix where one answer is right, and told so before', async () => {
    const there = world.files('fixable', edited(['', RELEASE, '    funnel:', '    funel:', /./]));
    const reported = await world.here(['validate', there, '--no-color']);
    expect([reported.code, reported.stdout]).toEqual([
      1,
      expect.stringContaining(`\`kit validate --fix ${there}\` fixes one of them`),
    ]);

    const shown = await world.here(['validate', there, '--fix', '--dry-run', '--json']);
    expect([shown.code, shown.lines()[0]]).toMatchObject([
      1,
      { type: 'validate.fixed', artifact_path: RELEASE, renamed_to: 'funnel', written: false },
    ]);

    const fixed = await world.here(['validate', there, '--fix', '--no-color']);
    expect([fixed.code, fixed.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^fixed topologies\/release\.yaml:\d+ {2}`funel` is now `funnel`\nfixed 1 in 1 file\n[\s\S]*ok gated/,
      ),
    ]);
  });

  it('is checked beside sound ones, and the exit code is the gravest', async () => {
    const sound = world.files('several-sound', SOUND);
    const broken = world.files('several-broken', edited(MISTAKES[0] as Mistake));
    const all = await world.here(['validate', sound, broken, '--no-color']);
    expect([all.code, all.stdout]).toEqual([
      1,
      expect.stringMatching(/several-sound:\n[\s\S]*ok gated[\s\S]*several-broken:\nerror\[/),
    ]);
    const none = await world.here(['validate', sound, world.base, '--json']);
    expect([none.code, none.lines().at(-1)]).toMatchObject([
      2,
      {
        status: 'failed',
        workspaces: [
          { status: 'ok', exit: 0 },
          { error: 'KIT_WORKSPACE_NOT_FOUND', exit: 2 },
        ],
      },
    ]);
    expect((await world.here(['validate', sound, sound])).code).toBe(0);
  });
});
