import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POINT_IDS } from '../../../src/domain/extension-points.js';
import { CONFORMANCE } from '../../../src/testing/contract/suites.js';
import { type KitHome, type KitResult, makeHome, projectRoot, runKit, runKitHere } from '../../support/kit-process.js';

let home: KitHome;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());

const kit = (argv: readonly string[], cwd: string): Promise<KitResult> => runKitHere(argv, { env: home.env, cwd });

let count = 0;
async function emptyDirectory(): Promise<string> {
  const path = join(home.path, `empty-${count++}`);
  await mkdir(path);
  return path;
}

const skeletons = (await readdir(join(projectRoot, 'templates', 'plugins'))).sort();

describe('the skeletons', () => {
  it('are there for every point that is in use, and for commands', () => {
    expect(skeletons).toEqual([...Object.keys(CONFORMANCE), 'commands'].sort());
  });

  /** Cases of every contract; a point has some of its own beside them. */
  const COMMON_CASES = 5;

  it.each(skeletons)(
    'of %s passes its checks and its own tests as it is, by the commands that are printed',
    async (point) => {
      const cwd = await emptyDirectory();

      const made = await kit(['plugins', 'new', point], cwd);
      const pasted = made.stdout
        .split('\n')
        .filter((line) => line.startsWith('  kit '))
        .map((line) => line.trim().split(' ').slice(1));
      const [checked, linked] = [await kit([...pasted[0]!, '--json'], cwd), await kit([...pasted[1]!, '--json'], cwd)];

      expect(made.code).toBe(0);
      expect(pasted).toHaveLength(2);
      const report = checked.lines().at(-1) as {
        ok: boolean;
        checks: readonly { check: string; state: string; message: string }[];
      };
      expect(report.checks.filter(({ state }) => state === 'failed' || state === 'warned')).toEqual([]);
      expect(report.checks.find(({ check }) => check === 'tests')?.message).toMatch(/^[1-9]\d* tests$/);
      expect(
        report.checks.filter(({ check, state }) => check === 'contract' && state === 'passed').length > COMMON_CASES,
      ).toBe(point !== 'commands');
      expect([report.ok, checked.code]).toEqual([true, 0]);
      expect(linked.lines()).toMatchObject([{ state: 'accepted' }]);
    },
  );

  it.each(['evalChecks', 'httpMounts'])('of %s in TypeScript passes its checks once it is built', async (point) => {
    const cwd = await emptyDirectory();

    const made = await kit(['plugins', 'new', point, 'mine', '--typescript'], cwd);
    await promisify(execFile)(process.execPath, ['build.mjs'], { cwd: join(cwd, 'mine') });
    const checked = await kit(['plugins', 'check', 'mine', '--test', '--json'], cwd);

    expect(made.code, made.stderr).toBe(0);
    expect(made.stdout).toContain('  npm --prefix mine run build\n');
    const { checks } = checked.lines().at(-1) as { checks: readonly { check: string; state: string }[] };
    expect(checks.filter(({ state }) => state === 'failed' || state === 'warned')).toEqual([]);
    expect(checks.filter(({ check }) => ['contract', 'tests'].includes(check)).length).toBeGreaterThan(1);
  });

  it.each(skeletons)('of %s say what they are for, and advise no kit for types that lie beside them', async (point) => {
    const cwd = await emptyDirectory();
    await kit(['plugins', 'new', point, 'plain'], cwd);
    await kit(['plugins', 'new', point, 'typed', '--typescript'], cwd);

    const [plain, typed] = await Promise.all(
      ['plain', 'typed'].map((name) => readFile(join(cwd, name, 'README.md'), 'utf8')),
    );

    expect(plain).toContain('npm install --save-dev @kit-run/kit');
    expect(typed).toContain('no kit has to be installed for it');
    expect(typed).not.toContain('--save-dev @kit-run/kit');
    expect(typed).toMatch(/## Work on it\n\n {4}npm run build [^\n]*\n {4}kit plugins check/);
    expect(typed?.includes('--save-dev fastify@5')).toBe(point === 'httpMounts');
  });

  it('in TypeScript bring each declaration that their types refer to', async () => {
    const cwd = await emptyDirectory();
    await kit(['plugins', 'new', 'executors', 'mine', '--typescript'], cwd);

    const types = join(cwd, 'mine', 'types');
    const paths = (await readdir(types, { recursive: true })).filter((path) => path.endsWith('.d.ts'));
    const texts = await Promise.all(
      paths.map(async (path) => [path, await readFile(join(types, path), 'utf8')] as const),
    );
    const named = texts.flatMap(([path, text]) =>
      [...text.matchAll(/from '(\.[^']+)\.js'/g)].map(([, to]) => join(types, dirname(path), `${to}.d.ts`)),
    );

    expect(paths).toContain(join('sdk', 'plugin.d.ts'));
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
    expect(existsSync(join(cwd, 'mine', 'src', 'executor.ts'))).toBe(true);
    expect(existsSync(join(cwd, 'mine', 'typescript'))).toBe(false);
  });

  it('of commands brings its command once it is linked', async () => {
    const cwd = await emptyDirectory();
    await kit(['plugins', 'new', 'commands', 'kit-plugin-topologies'], cwd);
    await kit(['plugins', 'link', 'kit-plugin-topologies', '--yes'], cwd);

    const result = await runKit(['topologies', join(projectRoot, 'templates', 'hello'), '--json'], {
      env: home.env,
      cwd,
    });

    expect(result.lines()).toMatchObject([{ type: 'result', topologies: 1 }]);
  });

  it('speak of the name that was asked for, in ids, files and texts', async () => {
    const cwd = await emptyDirectory();

    const result = await kit(['plugins', 'new', 'executors', 'here', '--name', '@acme/kit-plugin-echo', '--json'], cwd);

    expect(result.lines()).toMatchObject([
      { package: '@acme/kit-plugin-echo', id: 'acme.echo', directory: join(cwd, 'here') },
    ]);
    const text = await readFile(join(cwd, 'here', 'package.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      name: '@acme/kit-plugin-echo',
      kit: { contributes: { executors: [{ id: 'acme.echo', name: 'echo' }] } },
    });
    for (const file of result.lines()[0]!.files as string[])
      expect(await readFile(join(cwd, 'here', file), 'utf8')).not.toContain('sample');
  });
});

describe('a refusal of kit plugins new', () => {
  it('names every file that is in the way and writes none', async () => {
    const cwd = await emptyDirectory();
    await writeFile(join(cwd, 'package.json'), '{}');
    await writeFile(join(cwd, 'README.md'), 'mine');

    const result = await kit(['plugins', 'new', 'executors', '.', '--json'], cwd);

    expect(result.lines()).toMatchObject([
      { type: 'error', code: 'KIT_USAGE', exit: 2, data: { conflicts: ['README.md', 'package.json'] } },
    ]);
    expect(await readdir(cwd)).toEqual(['README.md', 'package.json']);
    expect(await readFile(join(cwd, 'README.md'), 'utf8')).toBe('mine');
  });

  it.each([
    ['executor', 'Did you mean executors?'],
    ['modelProvider', 'Did you mean modelProviders?'],
    ['wizards', 'There are: '],
  ])('of the unknown point %s says what there is', async (point, hint) => {
    const cwd = await emptyDirectory();

    const result = await kit(['plugins', 'new', point, '--json'], cwd);

    expect(result.lines()).toMatchObject([{ code: 'KIT_USAGE', exit: 2, hint: expect.stringContaining(hint) }]);
    expect(await readdir(cwd)).toEqual([]);
  });

  it.each(POINT_IDS.filter((point) => !Object.hasOwn(CONFORMANCE, point)))(
    'says of %s that nothing uses it yet',
    async (point) => {
      const cwd = await emptyDirectory();

      const result = await kit(['plugins', 'new', point, '--json'], cwd);

      expect(result.lines()).toMatchObject([{ code: 'KIT_NOT_YET', exit: 2, message: expect.stringContaining(point) }]);
      expect(await readdir(cwd)).toEqual([]);
    },
  );

  it('is given for a name that npm would refuse, and for a file in place of a directory', async () => {
    const cwd = await emptyDirectory();
    await writeFile(join(cwd, 'file'), '');

    const name = await kit(['plugins', 'new', 'executors', '--name', '../up', '--json'], cwd);
    const file = await kit(['plugins', 'new', 'executors', 'file', '--json'], cwd);

    expect(name.lines()).toMatchObject([{ code: 'KIT_USAGE', exit: 2, hint: expect.stringContaining('--name') }]);
    expect(file.lines()).toMatchObject([{ code: 'KIT_USAGE', exit: 2, message: expect.stringContaining('is a file') }]);
    expect(await readdir(cwd)).toEqual(['file']);
    expect(existsSync(join(home.path, 'up'))).toBe(false);
  });
});
