import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KitHome, makeHome, runKitHere } from '../../support/kit-process.js';

let home: KitHome;
let base: string;
beforeAll(async () => {
  home = await makeHome();
  base = await mkdtemp(join(tmpdir(), 'kit-nowhere-'));
  const bundle = join(base, 'catalogue', 'skills', 'notes');
  await Promise.all([mkdir(join(base, 'w')), mkdir(join(bundle, 'skills'), { recursive: true })]);
  await writeFile(
    join(bundle, 'bundle.yaml'),
    'id: notes\nname: notes\ndescription: About notes.\nskills: [ask-note]\n',
  );
  await writeFile(
    join(bundle, 'skills', 'ask-note.yaml'),
    `apiVersion: kit/v1
kind: Skill
metadata: { id: ask-note, name: ask-note, description: Answers about ask-note. }
category: capability
implementation: { type: llm_prompt, prompt: Answer. }
provenance: { authored_by: human, version: 1.0.0 }
`,
  );
});
afterAll(async () => {
  await rm(base, { recursive: true, force: true });
  await home.remove();
});

it.each([
  ['lists what is offered', ['list', '--available'], 0, 'Answers about ask-note.'],
  ['searches the catalogue', ['search', 'about'], 0, 'ask-note'],
  ['shows a skill of the catalogue', ['show', 'ask-note'], 0, 'Answers about ask-note.'],
  ['knows the likely id', ['show', 'ask-noet'], 1, 'ask-note'],
  ['lists no skills of its own', ['list'], 2, 'KIT_WORKSPACE_NOT_FOUND'],
  ['takes a workspace that was named at its word', ['search', 'about', '-w', 'gone'], 2, 'KIT_WORKSPACE_NOT_FOUND'],
  ['adds nothing', ['add', 'notes', '--yes'], 2, 'KIT_WORKSPACE_NOT_FOUND'],
] as const)('where there is no workspace kit skill %s', async (_says, argv, code, text) => {
  const { stdout, stderr, ...ended } = await runKitHere(['skill', ...argv], {
    cwd: join(base, 'w'),
    env: { ...home.env, PATH: '', KIT_SKILLS_CATALOGUE: '../catalogue' },
  });

  expect({ code: ended.code, said: stdout + stderr }).toMatchObject({ code, said: expect.stringContaining(text) });
  expect(await readdir(join(base, 'w'))).toEqual([]);
});
