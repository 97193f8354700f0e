import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { talk } from '../e2e/workspaces.js';
import { lastOf, makeWorld, type World } from '../e2e/world.js';
import { startServe } from '../support/http/serve-process.js';
import { type KitResult, projectRoot } from '../support/kit-process.js';
import { readDependencies } from '../support/packed-kit.js';
import { goodPlugin, npmCli, packPlugin, writePlugin } from '../support/plugin-package.js';

/**
 * The tarball, installed as people install it: this takes the registry and a minute, and belongs to
 * the long run. `installedBytes` is what `du` counts, blocks of the file system included.
 */
const BOUNDS = { installedBytes: 82_000_000, packages: 92, files: 8_200 };
const LARGEST = 15;

const run = promisify(execFile);
const npm = (args: readonly string[]) => run(process.execPath, [npmCli(), ...args], { cwd: projectRoot });
const { dependencies, peerDependencies } = await readDependencies();

let base: string;
let prefix: string;
/** What npm wrote while it installed the tarball. */
let said: { readonly stdout: string; readonly stderr: string };
let world: World;
beforeAll(async () => {
  [base, world] = await Promise.all([mkdtemp(join(tmpdir(), 'kit-installed-')), makeWorld()]);
  prefix = join(base, 'prefix');
  await npm(['pack', '--ignore-scripts', '--pack-destination', base]);
  const [archive = ''] = (await readdir(base)).filter((name) => name.endsWith('.tgz'));
  said = await npm(['install', '--global', '--prefix', prefix, '--prefer-offline', '--no-audit', join(base, archive)]);
}, 600_000);
afterAll(async () => {
  await world.dispose();
  await rm(base, { recursive: true, force: true });
});

const root = (): string => join(prefix, 'lib/node_modules/@kit-run/kit');
const program = (): string => join(root(), 'bin/kit.js');
const kit = (argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<KitResult> =>
  world.kit(argv, { program: program(), env });

/** Bytes that a file or folder takes on this file system. */
async function diskBytes(path: string): Promise<number> {
  const { stdout } = await run('du', ['-sk', path]);
  return Number.parseInt(stdout, 10) * 1024;
}

/** Folders of packages below the installation, the innermost included. */
async function packageFolders(): Promise<readonly string[]> {
  const all = await readdir(prefix, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => /\/node_modules\/(@[^/]+\/)?[^/@.][^/]*$/.test(path));
}

/** A folder with a Node and an npm that writes down what it is asked, as the only PATH. */
async function userPath(): Promise<{ readonly path: string; readonly asked: () => Promise<string> }> {
  const path = await mkdtemp(join(base, 'path-'));
  const log = join(path, 'asked.txt');
  await symlink(process.execPath, join(path, 'node'));
  await writeFile(
    join(path, 'npm'),
    `#!/bin/sh\necho "$@" >> '${log}'\nexec '${process.execPath}' '${npmCli()}' "$@"\n`,
  );
  await chmod(join(path, 'npm'), 0o755);
  return { path, asked: () => readFile(log, 'utf8') };
}

describe('kit, packed and installed', { timeout: 120_000 }, () => {
  it('stays within its bounds', async () => {
    const [installedBytes, folders, entries] = await Promise.all([
      diskBytes(prefix),
      packageFolders(),
      readdir(prefix, { recursive: true, withFileTypes: true }),
    ]);
    const files = entries.filter((entry) => entry.isFile()).length;
    const beside = folders.filter(
      (path) =>
        !path
          .slice(root().length + 1)
          .replace('node_modules/', '')
          .includes('node_modules/'),
    );
    const sizes = await Promise.all(
      beside.filter((path) => path !== root()).map(async (path) => ({ path, bytes: await diskBytes(path) })),
    );
    const largest = sizes.sort((a, b) => b.bytes - a.bytes).slice(0, LARGEST);

    console.log(
      [
        `installed ${installedBytes} bytes, ${folders.length} packages, ${files} files; the largest:`,
        ...largest.map(
          ({ path, bytes }) => `${(bytes / 1e6).toFixed(1).padStart(6)} MB ${path.split('/node_modules/').at(-1)}`,
        ),
      ].join('\n'),
    );
    expect(installedBytes).toBeLessThanOrEqual(BOUNDS.installedBytes);
    expect(folders.length).toBeLessThanOrEqual(BOUNDS.packages);
    expect(files).toBeLessThanOrEqual(BOUNDS.files);
    expect(folders.length).toBeGreaterThan(50);
  });

  it('is installed without a warning', () => {
    // One about a setting of this machine's own npm is none about kit.
    const warnings = said.stderr.split('\n').filter((line) => line !== '' && !/ (user|env) config /.test(line));

    expect(warnings).toEqual([]);
    expect(said.stdout).toContain('added ');
  });

  it('evaluates everything that is folded into it, with nothing but what is listed beside it', async () => {
    const folded: Readonly<Record<string, readonly string[]>> = JSON.parse(
      await readFile(join(projectRoot, 'dist/program/modules.json'), 'utf8'),
    );
    // Whoever imports a process starts it.
    const files = Object.keys(folded).filter(
      (file) =>
        !/-process\b|map-exports/.test(file) && !folded[file]?.some((path) => /-process\.js$|map-exports/.test(path)),
    );
    const script = `const failed = [];
      for (const file of JSON.parse(process.argv[1]))
        await import(new URL(file, process.argv[2]).href).catch((error) => failed.push([file, error.message]));
      console.log(JSON.stringify(failed));`;
    const { stdout } = await run(process.execPath, [
      ...['--input-type=module', '--eval', script, '--', JSON.stringify(files)],
      pathToFileURL(join(root(), 'dist/program/')).href,
    ]);

    const failed: readonly (readonly [string, string])[] = JSON.parse(stdout);
    const missing = failed.map(([file, message]) => /package '([^']+)'/.exec(message)?.[1] ?? `${file}: ${message}`);
    expect(missing.filter((name) => !Object.hasOwn(peerDependencies, name))).toEqual([]);
    expect(files.length).toBeGreaterThan(300);
  });

  it('brings neither npm nor yarn, no large optional package, and everything that is listed', async () => {
    const names = (await packageFolders()).map((path) => String(path.split('/node_modules/').at(-1)));

    expect(names.filter((name) => ['npm', 'yarn', ...Object.keys(peerDependencies)].includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  });

  it('runs a template, and serves it', async () => {
    const hello = join(base, 'hello');
    await cp(join(root(), 'templates/hello'), hello, { recursive: true });

    const ran = await kit(['run', hello, 'hello', '--input', 'Greet Ada', '--json']);
    const server = await startServe([hello], world.env, program());
    const answered = await fetch(`${server.url}/health`).finally(() => server.kill('SIGTERM'));

    expect(lastOf(ran)).toMatchObject({ type: 'result', status: 'completed' });
    expect(answered.status).toBe(200);
    expect(await server.ended).toBe(0);
  });

  it("installs a packed plugin with the user's npm, and says what is missing without one", async () => {
    const tarball = await packPlugin(await writePlugin(base, goodPlugin), world.env);
    const { path, asked } = await userPath();
    await mkdir(join(base, 'empty'));
    const install = (PATH: string) => kit(['plugins', 'install', tarball, '--yes', '--json'], { PATH });

    const refused = await install(join(base, 'empty'));
    const installed = await install(path);
    const greeted = await kit(['greet', 'you', '--json']);

    expect(lastOf(refused)).toMatchObject({
      code: 'KIT_PLUGIN_INSTALL_FAILED',
      message: 'install needs npm, which is not on PATH',
      hint: expect.stringContaining('Install npm'),
    });
    expect(lastOf(installed)).toMatchObject({ state: 'accepted', commands: ['greet'] });
    expect(await asked()).toContain(`install file:${tarball}`);
    expect(lastOf(greeted)).toMatchObject({ greeted: ['you'] });
  });

  it('finds an optional package that is installed as the refusal says', async () => {
    const dir = world.files('governed', {
      ...talk({ workspace: 'governance: { provider: agt, config: { policies_dir: ./policies } }\n' }),
      'policies/a.yaml': 'name: all\ndefault_action: allow\nrules: []\n',
    });
    const ask = () => kit(['run', dir, 'talk', '--input', 'hi', '--json']);

    const refused = lastOf(await ask());
    const [, wanted = ''] = /npm install --global (\S+)`/.exec(String(refused.hint)) ?? [];
    await npm(['install', '--global', '--prefix', prefix, '--prefer-offline', '--no-audit', wanted]);
    const ran = lastOf(await ask());

    expect(refused).toMatchObject({ code: 'KIT_PACKAGE_MISSING' });
    expect(ran).toMatchObject({ type: 'result', status: 'completed' });
  });
});
