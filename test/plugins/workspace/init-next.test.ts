import { exec } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KitHome, makeHome, runKitHere } from '../../support/kit-process.js';

let home: KitHome;
let dir: string;
beforeAll(async () => {
  home = await makeHome();
  dir = await mkdtemp(join(tmpdir(), 'kit-init-'));
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await home.remove();
});
const kit = (...argv: readonly string[]) => runKitHere(argv, { cwd: dir, env: home.env });

test('kit init says that nothing is written yet where nobody was asked', async () => {
  const { code, stdout } = await kit('init', 'early', '--template', 'hello');

  expect(code).toBe(2);
  expect(stdout).toMatch(/^template hello -> .*early; nothing is written yet, it would be:$/m);
});

test('the lines that kit init prints work in the directory that they enter first', async () => {
  const { code, stdout, stderr } = await kit('init', 'demo', '--yes');

  expect(code, stderr).toBe(0);
  expect(stdout).not.toContain('would be');
  const lines = stdout.slice(stdout.indexOf('written. Next:')).trim().split('\n').slice(1);
  expect(lines.map((line) => line.trim())).toEqual(
    expect.arrayContaining(['cd demo', 'kit validate', 'kit run hello --input "Greet Ada and Grace"', 'kit serve']),
  );
  const validated = await runKitHere(['validate'], { cwd: join(dir, 'demo'), env: home.env });
  expect(validated.code, validated.stdout + validated.stderr).toBe(0);
});

test.each([
  ['data-extraction', 'kit run invoice --input - < examples/invoice.txt'],
  ['support-triage', 'kit run support --input "I bought the annual plan last week by mistake." --as mailbox'],
  ['team-server', 'kit run notice --input "..."'],
])('kit init --template %s prints a run that its topology takes', async (template, line) => {
  const { stdout } = await kit('init', template, '--template', template, '--yes');

  expect(stdout).toContain(`\n  ${line}\n`);
});

test('kit init prints a run without a model where the template wants an Ollama that is not here', async () => {
  const env = { ...home.env, PATH: '', OLLAMA_BASE_URL: 'http://127.0.0.1:9' };
  const { stdout } = await runKitHere(['init', 'local', '--template', 'local-model', '--yes'], { cwd: dir, env });

  expect(stdout).toContain('\n  KIT_PROVIDER=mock KIT_MODEL=mock kit run ask --input "Where is the valve');
  expect(stdout).not.toContain('\n  kit run ask');
});

test('kit init says that programs of a template need a git repository, where there is none', async () => {
  const says = async (cwd: string, template: string) =>
    (await runKitHere(['init', `${template}-there`, '--template', template, '--yes'], { cwd, env: home.env })).stdout;
  const repository = join(dir, 'repository');
  await mkdir(join(repository, '.git'), { recursive: true });

  expect(await says(dir, 'nightly-tests')).toMatch(
    /\n {2}move it into a git repository that has a commit: .+\n {2}git init && .+\n {2}kit/,
  );
  expect(await says(repository, 'nightly-tests')).not.toContain('git repository');
  expect(await says(dir, 'pr-review')).not.toContain('git repository');
});

test.each(['release-gate', 'quickstart', 'nightly-tests', 'harness'])(
  'the lines that kit init prints for %s run where there is no repository',
  async (template) => {
    const { stdout } = await kit('init', `${template}-alone`, '--template', template, '--yes');
    const lines = stdout.slice(stdout.indexOf('written. Next:')).trim().split('\n').slice(1);
    const [run] = lines.flatMap((line) => /^ {2}TEST_COMMAND=true kit (run .+)$/.exec(line)?.[1] ?? []);
    const git = lines.find((line) => line.startsWith('  git init && '))?.trim() ?? '';
    const cwd = join(dir, `${template}-alone`);
    const person = { NAME: 'Ada', EMAIL: 'ada@example.com' };
    const who = Object.fromEntries(
      Object.entries(person).flatMap(([key, value]) =>
        ['AUTHOR', 'COMMITTER'].map((part) => [`GIT_${part}_${key}`, value] as const),
      ),
    );
    await promisify(exec)(git, { cwd, env: { ...process.env, ...home.env, ...who } });

    const words = [...(run ?? '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
    const ran = await runKitHere(words, { cwd, env: { ...home.env, TEST_COMMAND: 'true' } });
    expect([0, 3], ran.stdout + ran.stderr).toContain(ran.code);
  },
  60_000,
);

test('kit init names no command for the tests of a directory that is there already', async () => {
  await mkdir(join(dir, 'mine'));
  const { stdout } = await kit('init', 'mine', '--template', 'quickstart', '--yes');

  expect(stdout).toContain('\n  kit run quickstart --input "Run the tests"\n');
});
