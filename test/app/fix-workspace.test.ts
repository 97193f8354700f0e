import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { planFixes, writeFixes } from '../../src/app/fix-workspace.js';
import { validateWorkspace } from '../../src/app/validate-workspace.js';
import { createFileEdits } from '../../src/system/file-edits.js';
import { gated } from '../e2e/review/gated-workspace.js';
import { deps, type Sources } from '../support/compile.js';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-fix-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const SKILL = 'skills/find.yaml';
const PLAIN = 'topologies/plain.yaml';
const RELEASE = 'topologies/release.yaml';
const FUNNEL = 'funnels/sign-off.yaml';
const ROLES = 'roles/people.yaml';
const WORKSPACE = 'workspace.yaml';
const SOUND: Readonly<Record<string, string>> = {
  ...gated(),
  [SKILL]: `# what finds things
apiVersion: kit/v1
kind: Skill
metadata: { id: find, name: Find, description: Finds things there. } # said to the model
category: capability
implementation: { type: llm_prompt, prompt: Find it. }
provenance: { authored_by: human, version: 1.0.0 }
`,
};

async function write(sources: Sources): Promise<void> {
  for (const [path, text] of Object.entries(sources)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
}

/** A sound workspace with one replacement; throws where there is nothing to replace. */
async function broken(path: string, from: string | RegExp, to: string): Promise<void> {
  const sound = SOUND[path] ?? '';
  const text = sound.replace(from, () => to);
  if (text === sound) throw new Error(`${path} has no ${String(from)}`);
  await write({ ...SOUND, [path]: text });
}

const text = (path: string): Promise<string> => readFile(join(directory, path), 'utf8');

async function fix() {
  const { files } = deps();
  const plan = await planFixes(directory, deps());
  await writeFixes(plan, { files, edits: createFileEdits() });
  return plan.fixed.map(({ path, line, fix: { do: what, pointer } }) => `${path}:${line} ${what} ${pointer}`);
}

describe('what has only one right answer is written', () => {
  test.each<[what: string, path: string, from: string | RegExp, to: string, back?: (sound: string) => string]>([
    ['a misspelt key', RELEASE, '    funnel:', '    funel:'],
    [
      'a misspelt key in quotes',
      RELEASE,
      '    funnel:',
      '    "funel":',
      (sound) => sound.replace('funnel:', '"funnel":'),
    ],
    ['a key in capitals', WORKSPACE, 'memory:', 'Memory:'],
    ['a misspelt word of a closed set', SKILL, 'category: capability', 'category: capabilty'],
    ['a misspelt variant', SKILL, 'type: llm_prompt', 'type: llm_promt'],
    ['a missing apiVersion', SKILL, 'apiVersion: kit/v1\n', ''],
    ['another apiVersion', PLAIN, 'apiVersion: kit/v1', 'apiVersion: kit/v9'],
    ['a kind that does not exist', ROLES, 'kind: RoleRegistry', 'kind: Role'],
    ['an id with capitals', SKILL, 'id: find', 'id: Find'],
    ['a boolean in quotes', WORKSPACE, 'enabled: false', 'enabled: "no"'],
    [
      'a version that is a number',
      PLAIN,
      'version: 1.0.0',
      'version: 1.10',
      (sound) => sound.replace('1.0.0', '1.10.0'),
    ],
    ['a word for a list', ROLES, 'members: [ops-1]', 'members: ops-1'],
    [
      'a quorum that is a number',
      FUNNEL,
      'quorum: all',
      'quorum: 2',
      (sound) => sound.replace('quorum: all', 'quorum: { k-of: 2 }'),
    ],
  ])('%s', async (_what, path, from, to, back = (sound) => sound) => {
    await broken(path, from, to);

    expect(await fix()).toEqual([expect.stringContaining(`${path}:`)]);

    expect(await text(path)).toBe(back(SOUND[path] ?? ''));
    const { diagnostics } = await validateWorkspace(directory, deps());
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(await fix()).toEqual([]);
  });

  test('in several files, and behind one another: a phase shows its problems when those before are fixed', async () => {
    await write({
      ...SOUND,
      [SKILL]: (SOUND[SKILL] ?? '')
        .replace('kind: Skill', 'kind: Skil')
        .replace('category: capability', 'category: capabilty'),
      [RELEASE]: (SOUND[RELEASE] ?? '').replace('    funnel:', '    funel:'),
    });

    expect(await fix()).toEqual([
      `${SKILL}:3 set /kind`,
      expect.stringMatching(/^skills\/find\.yaml:5 set \/category$|^topologies\/release/),
      expect.stringMatching(/^skills\/find\.yaml:5 set \/category$|^topologies\/release/),
    ]);
    for (const path of [SKILL, RELEASE]) expect(await text(path)).toBe(SOUND[path]);
  });
});

describe('what may be meant in another way is left to its author', () => {
  test.each<[what: string, path: string, from: string | RegExp, to: string]>([
    ['a role with a letter wrong', FUNNEL, 'roles: [qa, ops]', 'roles: [qa, opz]'],
    ['a skill with a letter wrong', PLAIN, 'role: root,', 'role: root, skills: [fnd],'],
    ['a funnel with a letter missing', RELEASE, 'funnel: sign-off', 'funnel: sign-of'],
    ['a kind of another folder', SKILL, 'kind: Skill', 'kind: Funnel'],
    ['a file without a kind', SKILL, 'kind: Skill\n', ''],
    ['a missing description', SKILL, ', description: Finds things there.', ''],
    ['a missing version', PLAIN, 'version: 1.0.0, ', ''],
    ['several words for a list', ROLES, 'members: [ops-1]', 'members: ops-1 ops-2'],
    ['a reference of the wrong type', WORKSPACE, 'enabled: false', 'enabled: "${ON_OR_OFF:-maybe}"'],
    ['a key that is there already', RELEASE, '    funnel:', '    funel: x\n    funnel:'],
    ['a removed key', WORKSPACE, 'memory:', 'channels: {}\nmemory:'],
  ])('%s', async (_what, path, from, to) => {
    await broken(path, from, to);
    const before = await text(path);

    expect(await fix()).toEqual([]);

    expect(await text(path)).toBe(before);
  });
});

test('a plan that a file has moved on from is refused, and nothing is written', async () => {
  await broken(SKILL, 'category: capability', 'category: capabilty');
  const plan = await planFixes(directory, deps());
  await writeFile(join(directory, SKILL), 'changed: meanwhile\n');

  await expect(writeFixes(plan, { files: deps().files, edits: createFileEdits() })).rejects.toMatchObject({
    code: 'KIT_EDIT_STALE',
  });
  expect(await text(SKILL)).toBe('changed: meanwhile\n');
});

test('a file that changes while it is judged is not written over', async () => {
  await broken(SKILL, 'category: capability', 'category: capabilty');
  const { files, ...rest } = deps();
  const readBytes = async (path: string) => {
    if (path.endsWith(SKILL)) await writeFile(path, 'changed: meanwhile\n');
    return files.readBytes(path);
  };

  await expect(planFixes(directory, { ...rest, files: { ...files, readBytes } })).rejects.toMatchObject({
    code: 'KIT_EDIT_STALE',
  });
});

test('a file that is not UTF-8 is left, and nothing says that it was fixed', async () => {
  await write(SOUND);
  const bytes = Buffer.from(
    (SOUND[SKILL] ?? '').replace('capability', 'capabilty').replace('what finds', 'wh\xE4t'),
    'latin1',
  );
  await writeFile(join(directory, SKILL), bytes);

  expect(await fix()).toEqual([]);
  expect((await readFile(join(directory, SKILL))).equals(bytes)).toBe(true);
});

test('a link stays a link, and what it leads to is written', async () => {
  await write(SOUND);
  await rm(join(directory, SKILL));
  await writeFile(join(directory, 'skills', 'target.txt'), (SOUND[SKILL] ?? '').replace('capability', 'capabilty'));
  await symlink('target.txt', join(directory, SKILL));

  expect(await fix()).toEqual([`${SKILL}:5 set /category`]);

  expect(await readFile(join(directory, 'skills', 'target.txt'), 'utf8')).toBe(SOUND[SKILL]);
});

test('line breaks and byte order mark of a file stay', async () => {
  await write(SOUND);
  const windows = `\uFEFF${(SOUND[SKILL] ?? '').replaceAll('\n', '\r\n')}`;
  await writeFile(
    join(directory, SKILL),
    windows.replace('apiVersion: kit/v1\r\n', '').replace('capability', 'capabilty'),
  );

  expect(await fix()).toHaveLength(2);

  expect(await text(SKILL)).toBe(windows);
});
