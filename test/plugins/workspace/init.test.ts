import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type KitHome, makeHome, projectRoot, runKitHere } from '../../support/kit-process.js';

let home: KitHome;
let dir: string;

beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kit-init-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const kit = (argv: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runKitHere(argv, { cwd: dir, env: { ...home.env, ...env } });

async function filesOf(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
}

describe('kit init', () => {
  test.each(['hello', 'quickstart'])(
    'writes the template %s, which is valid and names no place of this machine',
    async (template) => {
      const written = await kit(['init', 'team', '--template', template, '--yes']);

      expect(written).toMatchObject({ code: 0, stderr: '' });
      expect(written.stdout).toContain(`kit run ${template} --input`);
      expect(written.stdout).toContain('kit serve');
      const valid = await kit(['validate', 'team', '--json']);
      expect(valid.code, valid.stdout).toBe(0);
      expect(valid.lines().at(-1)).toMatchObject({ type: 'result', status: 'ok', errors: 0 });
      const topology = join(dir, 'team', 'topologies', `${template}.yaml`);
      expect(await readFile(topology, 'utf8')).not.toMatch(/yaml-language-server/);
    },
  );

  test('has a template hello whose host delegates to the greeter without any key', async () => {
    // On a machine where an Ollama answers, its model is chosen: what the template itself brings is
    // asked for.
    await cp(join(projectRoot, 'templates', 'hello'), join(dir, 'team'), { recursive: true });
    const { code, stdout, stderr, lines } = await kit([
      'run',
      'team',
      'hello',
      '--input',
      'Greet Ada and Grace',
      '--json',
    ]);

    expect(code, stdout + stderr).toBe(0);
    const answer = String(lines().at(-1)?.output);
    expect(JSON.parse(answer)).toEqual({ results: { greeter: 'mock answer to: Greet Ada and Grace' } });
    expect(await readFile(join(dir, 'team', 'README.md'), 'utf8')).toContain(`The answer is then \`${answer}\``);
  });

  test('names what has to be set before a template that needs it starts', async () => {
    const { code, stdout } = await kit(['init', 'team', '--template', 'deploy', '--yes']);

    expect(code).toBe(0);
    expect(stdout).toContain('set KIT_STORE_URL, KIT_KEY_OPERATOR, KIT_KEY_CALLER (README.md says how)');
  });

  test('lists the templates', async () => {
    const { code, stdout } = await kit(['init', '--list']);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^hello {2,}\S.*$/m);
    expect(stdout).toMatch(/^quickstart {2,}\S.*$/m);
    expect(await readdir(dir)).toEqual([]);
  });

  test('names every file in the way and writes nothing', async () => {
    await mkdir(join(dir, 'topologies'));
    await writeFile(join(dir, 'topologies', 'hello.yaml'), 'mine\n');
    await writeFile(join(dir, 'workspace.yml'), 'mine\n');
    const { code, lines } = await kit(['init', '.', '--yes', '--json']);

    expect(code).toBe(2);
    expect(lines().at(-1)).toMatchObject({
      type: 'error',
      code: 'KIT_USAGE',
      data: { conflicts: ['workspace.yml', 'topologies/hello.yaml'] },
    });
    expect(await filesOf(dir)).toEqual(['hello.yaml', 'workspace.yml']);
    expect(await readFile(join(dir, 'topologies', 'hello.yaml'), 'utf8')).toBe('mine\n');
  });

  test('leaves the README of a project alone and says so', async () => {
    await writeFile(join(dir, 'README.md'), 'mine\n');
    const { code, stdout } = await kit(['init', '--yes']);

    expect(code).toBe(0);
    expect(stdout).toContain('README.md (left out: there is one)');
    expect(await readFile(join(dir, 'README.md'), 'utf8')).toBe('mine\n');
    expect(existsSync(join(dir, 'workspace.yaml'))).toBe(true);
  });

  test('without a terminal and without --yes writes nothing and names the flag', async () => {
    const { code, stderr } = await kit(['init', 'team']);

    expect(code).toBe(2);
    expect(stderr).toContain('--yes');
    expect(await readdir(dir)).toEqual([]);
  });

  test('goes by the current directory and not by KIT_WORKSPACE', async () => {
    const { code } = await kit(['init', '--yes'], { KIT_WORKSPACE: join(dir, 'elsewhere') });

    expect(code).toBe(0);
    expect(existsSync(join(dir, 'workspace.yaml'))).toBe(true);
    expect(existsSync(join(dir, 'elsewhere'))).toBe(false);
  });

  test('refuses a file in place of the directory, or above it', async () => {
    await writeFile(join(dir, 'file'), 'mine');

    for (const place of ['file', 'file/team']) {
      const { code, stderr } = await kit(['init', place, '--yes']);
      expect(code, stderr).toBe(2);
      expect(stderr).toMatch(/is a file/);
    }
    expect(await readdir(dir)).toEqual(['file']);
  });

  test('refuses a template that does not exist, with the one that was meant', async () => {
    const { code, stderr } = await kit(['init', '--template', 'quikstart', '--yes']);

    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean quickstart?');
  });

  test('names a provider whose key is set, and never the key', async () => {
    const { code, stdout } = await kit(['init', '--yes'], { OPENROUTER_API_KEY: 'sk-or-secret' });

    expect(code).toBe(0);
    expect(stdout).toContain('provider: openrouter/');
    const text = await readFile(join(dir, 'archetypes', 'greeter.yaml'), 'utf8');
    expect(text).toContain('provider: openrouter\n');
    expect(stdout + text).not.toContain('sk-or-secret');
    expect((await kit(['validate'])).code).toBe(0);
  });

  test('says what is missing when Ollama is installed and no server answers', async () => {
    const bin = join(dir, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'ollama'), '#!/bin/sh\nexit 1\n');
    await chmod(join(bin, 'ollama'), 0o755);
    const { code, stdout } = await kit(['init', 'team', '--yes'], { PATH: `${bin}:${home.env.PATH}` });

    expect(code).toBe(0);
    // On a machine where one does answer, its model is chosen.
    expect(stdout).toMatch(/Ollama is installed but does not answer|provider: ollama\//);
  });
});
