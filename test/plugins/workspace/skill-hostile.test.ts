import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSkillFolder } from '../../../src/app/skills/skill-folder.js';
import { convertSkillMd } from '../../../src/app/skills/skill-md.js';
import { nodeFiles } from '../../../src/system/files.js';
import { makeHome, runKitHere } from '../../support/kit-process.js';

const WORKSPACE = 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\n';
const skill = (id: string): string => `apiVersion: kit/v1
kind: Skill
metadata: { id: ${id}, name: ${id}, description: Answers about ${id}. }
category: capability
implementation: { type: llm_prompt, prompt: Answer. }
provenance: { authored_by: human, version: 1.0.0 }
`;
const bundle = (id: string, skills: string): string => `id: ${id}\nname: ${id}\nskills: [${skills}]\n`;

let base: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'kit-skill-hostile-')));
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(base, path)), { recursive: true });
    await writeFile(join(base, path), text);
  }
}

describe('a directory of skills by somebody else', () => {
  it('hides no bundle behind one that is broken, leads out of it or never ends', async () => {
    await put({
      'w/workspace.yaml': WORKSPACE,
      'outside.yaml': skill('outside'),
      'c/skills/good/bundle.yaml': bundle('good', 'fine'),
      'c/skills/good/skills/fine.yaml': skill('fine'),
      'c/skills/Upper Case/bundle.yaml': bundle('upper', 'fine'),
      'c/skills/twice/bundle.yaml': bundle('twice', 'same, same'),
      'c/skills/twice/skills/same.yaml': skill('same'),
      'c/skills/leads-out/bundle.yaml': bundle('leads-out', 'outside'),
      'c/skills/leads-out/skills/other.yaml': skill('other'),
      'c/skills/large/bundle.yaml': bundle('large', 'big'),
      'c/skills/large/skills/big.yaml': skill('big'),
      'c/skills/piped/bundle.yaml': bundle('piped', 'pipe'),
      'c/skills/piped/skills/other.yaml': skill('other'),
    });
    await symlink('../../../../outside.yaml', join(base, 'c/skills/leads-out/skills/outside.yaml'));
    await truncate(join(base, 'c/skills/large/skills/big.yaml'), 2 ** 40);
    execFileSync('mkfifo', [join(base, 'c/skills/piped/skills/pipe.yaml')]);
    const home = await makeHome();
    const env = { ...home.env, KIT_SKILLS_CATALOGUE: join(base, 'c') };
    const kit = (...argv: readonly string[]) => runKitHere(['skill', ...argv], { cwd: join(base, 'w'), env });

    const listed = await kit('list', '--available');
    const added = await kit('add', 'twice', '--yes');
    await home.remove();

    expect(listed, listed.stderr).toMatchObject({ code: 0 });
    expect(listed.stdout).toContain('fine');
    expect(listed.stdout.split('\n').filter((line) => line.startsWith('broken: '))).toEqual([
      'broken: Upper Case: its name is not an id of a bundle',
      'broken: large: skills/large/skills/big.yaml is not there',
      'broken: leads-out: skills/leads-out/skills/outside.yaml is not there',
      'broken: piped: skills/piped/skills/pipe.yaml is not there',
      'broken: twice: it lists same twice',
    ]);
    expect(added).toMatchObject({ code: 1, stderr: expect.stringContaining('it lists same twice') });
    expect(await readdir(join(base, 'w'))).toEqual(['workspace.yaml']);
  });
});

describe('a SKILL.md by somebody else', () => {
  const md = (keys: string): string => `---\nname: a\ndescription: Does a thing for people.\n${keys}---\nDo it.\n`;

  it('has keys that are called like what every object has, and they are left out in words', () => {
    const converted = convertSkillMd(md('constructor: 1\ntoString: 2\n'), '');

    expect(converted).toMatchObject({
      leftOut: ['constructor: kit knows no such key', 'toString: kit knows no such key'],
    });
  });

  it('has thousands of keys, and a few are told', () => {
    const keys = Array.from({ length: 5000 }, (_, at) => `k${at}: 1\n`).join('');
    const converted = convertSkillMd(md(keys), '');

    expect(converted.ok && converted.leftOut.length).toBe(21);
    expect(converted.ok && converted.leftOut.at(-1)).toBe('4980 more keys that kit does not know');
  });

  it('has links beside it that lead out and round, a pipe, and a file that nobody can read in time', async () => {
    await put({ 'outside/secret.md': 'a secret', 's/SKILL.md': md(''), 's/refs/a.md': 'text', 's/refs/big.md': '' });
    await symlink('../outside', join(base, 's/out'));
    await symlink('..', join(base, 's/refs/up'));
    await symlink('../../outside/secret.md', join(base, 's/refs/secret.md'));
    execFileSync('mkfifo', [join(base, 's/refs/pipe.md')]);
    await truncate(join(base, 's/refs/big.md'), 2 ** 40);

    const { documents, leftOut } = await readSkillFolder(nodeFiles, join(base, 's'));

    expect(documents).toEqual([{ path: 'refs/a.md', text: 'text' }]);
    expect(leftOut.toSorted()).toEqual([
      'out: a link to a folder',
      'refs/big.md: larger than 1048576 bytes',
      'refs/pipe.md: no file',
      'refs/secret.md: it leads out of the folder',
      'refs/up: a link to a folder',
    ]);
  });
});
