import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { askedExtras, chosenTemplate, galleryLines } from '../../../plugins/workspace/src/init/gallery-text.js';
import { type KitHome, makeHome, runKitHere } from '../../support/kit-process.js';

let home: KitHome;
let dir: string;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kit-gallery-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const kit = (...argv: readonly string[]) => runKitHere(argv, { cwd: dir, env: home.env });

describe('kit init without a template', () => {
  test('shows one line a template in a pipe, the first ones first, and a command that works', async () => {
    const { code, stdout } = await kit('init');

    expect(code).toBe(0);
    const lines = stdout.split('\n').filter((line) => /^[a-z-]+ {2,}\S/.test(line));
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      ...['hello', 'quickstart', 'release-gate', 'harness', 'empty', 'data-extraction', 'deploy', 'local-model'],
      ...['nightly-tests', 'pr-review', 'research-team', 'support-triage', 'team-server'],
    ]);
    expect(lines.filter((line) => line.length > 140)).toEqual([]);
    const command = /for example: kit (.+)$/m.exec(stdout)?.[1] ?? '';
    expect((await kit(...command.split(' '), '--yes')).code).toBe(0);
    expect(existsSync(join(dir, 'my-hello', 'workspace.yaml'))).toBe(true);
  });

  test('gives each with its command as JSON', async () => {
    const { code, lines } = await kit('init', '--json');

    expect(code).toBe(0);
    expect(lines().at(-1)).toMatchObject({
      type: 'result',
      templates: expect.arrayContaining([
        {
          name: 'pr-review',
          description: expect.stringContaining('findings'),
          command: 'kit init my-pr-review --template pr-review',
        },
      ]),
    });
    expect(await readdir(dir)).toEqual([]);
  });

  test('is refused where a directory was named: a script takes no list for a workspace', async () => {
    const { code, stderr } = await kit('init', 'team');

    expect(code).toBe(2);
    expect(stderr).toContain('kit init team --template hello --yes');
    expect(await readdir(dir)).toEqual([]);
  });
});

test('an answer chooses by number, by name, or nothing for the first', () => {
  const templates = [
    { name: 'hello', description: 'Small.' },
    { name: 'pr-review', description: 'Reads a diff.' },
  ];

  expect(galleryLines(templates, true)).toEqual([' 1  hello      Small.', ' 2  pr-review  Reads a diff.']);
  expect(['', '2', 'hello', '3', '0', 'x'].map((answer) => chosenTemplate(answer, templates))).toEqual([
    ...['hello', 'pr-review', 'hello', '3', '0', 'x'],
  ]);
  expect([askedExtras(''), askedExtras('ci, GITIGNORE'), askedExtras('all')]).toEqual([
    [],
    ['gitignore', 'ci'],
    ['gitignore', 'ci', 'editor'],
  ]);
  expect([askedExtras('ci x'), askedExtras('none')]).toEqual([null, null]);
});

describe('kit init --with', () => {
  const written = (template: string, ...more: readonly string[]) =>
    kit('init', 'repo/kit', '--template', template, '--yes', ...more);

  test('writes a CI file at the top of the repository whose kit commands hold', async () => {
    await mkdir(join(dir, 'repo', '.git'), { recursive: true });
    const { code, stdout } = await written('data-extraction', '--with', 'ci', '--with', 'gitignore');

    expect(code, stdout).toBe(0);
    expect(stdout).toContain('  ../.github/workflows/kit.yml\n');
    const ci = parse(await readFile(join(dir, 'repo', '.github', 'workflows', 'kit.yml'), 'utf8'));
    expect(ci.jobs.kit.defaults.run['working-directory']).toBe('kit');
    const commands: readonly string[] = ci.jobs.kit.steps.flatMap(({ run }: { run?: string }) => run ?? []);
    expect(commands[0]).toMatch(/^npm install --global @kit-run\/kit@\d+\.\d+\.\d+$/);
    for (const line of commands.slice(1)) {
      const [, ...argv] = line.split(' ');
      const ran = await runKitHere(argv, { cwd: join(dir, 'repo', 'kit'), env: home.env });
      expect(ran.code, line + ran.stdout + ran.stderr).toBe(0);
    }
    expect(commands.slice(1)).toEqual(['kit validate --require --format github', 'kit eval']);
    expect(await readFile(join(dir, 'repo', 'kit', '.gitignore'), 'utf8')).toMatch(/^\.kit\/$/m);
  });

  test('writes settings of the editor with the schemas, and then no path of this machine into a file', async () => {
    const { code } = await written('hello', '--with', 'editor');

    expect(code).toBe(0);
    const root = join(dir, 'repo', 'kit');
    const settings = JSON.parse(await readFile(join(root, '.vscode', 'settings.json'), 'utf8'));
    const schemas: Readonly<Record<string, string>> = settings['yaml.schemas'];
    expect(Object.values(schemas)).toEqual(
      expect.arrayContaining(['workspace.y*ml', 'topologies/**/*.y*ml', 'evals/**/*.y*ml']),
    );
    for (const path of Object.keys(schemas)) {
      expect(JSON.parse(await readFile(resolve(root, path), 'utf8'))).toHaveProperty('title');
    }
    expect(await readFile(join(root, 'workspace.yaml'), 'utf8')).toMatch(/^apiVersion/);
    expect((await kit('validate', 'repo/kit')).code).toBe(0);
  });

  test('leaves what is there, and follows no link', async () => {
    await mkdir(join(dir, 'repo', 'kit', '.vscode'), { recursive: true });
    await writeFile(join(dir, 'repo', 'kit', '.gitignore'), 'mine\n');
    await writeFile(join(dir, 'repo', 'kit', '.vscode', 'settings.json'), '{}\n');
    const { code, stdout } = await written('hello', '--with', 'gitignore', '--with', 'editor');

    expect(code, stdout).toBe(0);
    expect(stdout).toContain('.gitignore (left out: there is one)');
    expect(await readFile(join(dir, 'repo', 'kit', '.vscode', 'settings.json'), 'utf8')).toBe('{}\n');

    await mkdir(join(dir, 'elsewhere'));
    await mkdir(join(dir, 'linked'));
    await symlink(join(dir, 'elsewhere'), join(dir, 'linked', '.vscode'));
    const refused = await kit('init', 'linked', '--template', 'hello', '--yes', '--with', 'editor');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('is a link');
    expect(await readdir(join(dir, 'elsewhere'))).toEqual([]);
  });
});
