import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createUpgradeApp, type UpgradeDeps } from '../../../src/app/upgrade/create-upgrade-app.js';
import { BREAKING_CHANGES } from '../../../src/domain/breaking-changes.js';
import { PLUGIN_API } from '../../../src/domain/extension-points.js';
import { INTERFACE_LEVEL } from '../../../src/domain/interface-level.js';
import { ENGINE } from '../../../src/domain/journal.js';
import { SCHEMA_VERSION } from '../../../src/store/migrations.js';
import { runProgram } from '../../../src/system/run-program.js';
import { installWords } from '../../../src/view/wire-upkeep.js';
import { makeHome, projectRoot, runKitHere } from '../../support/kit-process.js';
import { npmCli, packPlugin } from '../../support/plugin-package.js';

const NAME = '@kit-run/kit';
const manifest = () => ({ dependencies: [], devDependencies: [] });

interface Version {
  readonly version: string;
  readonly runtime: object;
  /** What its program prints; null: it fails. */
  readonly says: string | null;
}

const VERSIONS: readonly Version[] = [
  { version: '0.0.9', runtime: { level: '1.188.0', engines: [1], store: 3, pluginApi: '1.0.0' }, says: 'kit/0.0.9' },
  { version: '0.2.0', runtime: { level: '1.256.0', engines: [2], store: 4, pluginApi: '2.0.0' }, says: 'kit/0.2.0' },
  { version: '0.3.0', runtime: { level: '1.256.0', engines: [1], store: 4, pluginApi: '1.1.0' }, says: null },
];

let base: string;
let server: Server;
let registry: string;
const archives = new Map<string, Buffer>();

const packument = (): string => {
  const versions = Object.fromEntries(
    VERSIONS.map(({ version, runtime }) => [
      version,
      {
        name: NAME,
        version,
        bin: { kit: 'bin/kit.js' },
        kitRuntime: runtime,
        dist: {
          tarball: `${registry}tarballs/${version}.tgz`,
          shasum: createHash('sha1')
            .update(archives.get(version) ?? '')
            .digest('hex'),
        },
      },
    ]),
  );
  return JSON.stringify({ name: NAME, 'dist-tags': { latest: '0.2.0' }, versions });
};

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'kit-upgrade-')));
  const bin = join(base, 'bin');
  await mkdir(bin);
  await symlink(process.execPath, join(bin, 'node'));
  await writeFile(join(bin, 'npm'), `#!/bin/sh\nexec '${process.execPath}' '${npmCli()}' "$@"\n`, { mode: 0o755 });
  for (const { version, runtime, says } of VERSIONS) {
    const root = join(base, 'sources', version);
    await mkdir(join(root, 'bin'), { recursive: true });
    const program = says === null ? 'process.exit(7);\n' : `console.log(${JSON.stringify(says)});\n`;
    await writeFile(join(root, 'bin/kit.js'), `#!/usr/bin/env node\n${program}`);
    const pjson = { name: NAME, version, bin: { kit: 'bin/kit.js' }, kitRuntime: runtime };
    await writeFile(join(root, 'package.json'), JSON.stringify(pjson));
    archives.set(version, await readFile(await packPlugin(root, env())));
  }
  server = createServer((request, response) => {
    const tarball = /^\/tarballs\/(.+)\.tgz$/.exec(request.url ?? '');
    if (tarball !== null) response.end(archives.get(tarball[1] ?? ''));
    else if (decodeURIComponent(request.url ?? '') === `/${NAME}`)
      response.setHeader('content-type', 'application/json').end(packument());
    else response.writeHead(404).end('{"error":"not found"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}, 60_000);
afterAll(async () => {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
  await rm(base, { recursive: true, force: true });
});
afterEach(() => rm(join(base, 'prefix'), { recursive: true, force: true }));

function env(): NodeJS.ProcessEnv {
  return {
    PATH: `${join(base, 'bin')}:/bin:/usr/bin`,
    HOME: base,
    npm_config_cache: join(base, 'cache'),
    npm_config_fetch_retries: '0',
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
  };
}

const root = (): string => join(base, 'prefix/lib/node_modules', NAME);

/** kit of a version, installed by npm, and what upgrades it. */
async function installed(version: string, more: Partial<UpgradeDeps> = {}) {
  const run: UpgradeDeps['run'] = (argv, cwd) => runProgram(argv, { cwd, env: env(), timeoutMs: 60_000 });
  await mkdir(join(base, 'prefix/lib'), { recursive: true });
  const put = await run(
    ['npm', 'install', '--global', '--prefix', join(base, 'prefix'), `${NAME}@${version}`, '--registry', registry],
    base,
  );
  expect(put, put.stderr).toMatchObject({ code: 0 });
  return createUpgradeApp({
    place: { root: root(), started: '', cwd: '/', has: existsSync, manifest, isContainer: false },
    installed: () => readFile(join(root(), 'package.json'), 'utf8'),
    run,
    node: process.execPath,
    cwd: base,
    plugins: async () => [],
    kept: async () => [],
    ...more,
  });
}

const versionThere = async (): Promise<unknown> =>
  JSON.parse(await readFile(join(root(), 'package.json'), 'utf8')).version;

describe('an upgrade', () => {
  it('of a kit of level 1.188.0 names both changes in between, and is made', async () => {
    const app = await installed('0.0.9');

    const plan = await app.plan({ to: null, registry });
    expect(plan).toMatchObject({
      installed: { version: '0.0.9', level: '1.188.0' },
      target: { version: '0.2.0', level: '1.256.0' },
      move: 'upgrade',
      install: { kind: 'npm-global' },
    });
    expect(plan.changes.filter(({ isBetween }) => isBetween).map(({ at }) => at)).toEqual([
      { level: '1.189.0' },
      { level: '1.199.0' },
    ]);
    expect(installWords(plan, '0.2.0')?.slice(-2)).toEqual([join(base, 'prefix'), `${NAME}@0.2.0`]);
    expect(await app.install(plan, { registry })).toMatchObject({ exitCode: 0, version: '0.2.0', isRestored: false });
    expect(await versionThere()).toBe('0.2.0');
    expect(await app.plan({ to: null, registry })).toMatchObject({ move: 'none' });
  }, 60_000);

  it('to a kit that does not run puts the old one back', async () => {
    const app = await installed('0.0.9');

    const plan = await app.plan({ to: '0.3.0', registry });
    const outcome = await app.install(plan, { registry });

    expect(outcome).toMatchObject({ version: '0.0.9', isRestored: true });
    expect(outcome.exitCode).not.toBe(0);
    expect(await versionThere()).toBe('0.0.9');
  }, 60_000);

  it('back to an older version is one where it is asked for, and only then', async () => {
    const app = await installed('0.3.0');

    expect(await app.plan({ to: null, registry })).toMatchObject({ move: 'none' });
    const plan = await app.plan({ to: '0.0.9', registry });
    expect(plan.move).toBe('downgrade');
    expect(plan.changes.every(({ isBetween }) => isBetween)).toBe(true);
  }, 60_000);

  it('names plugins that do not fit, runs that it cannot go on with, and stores that it cannot open', async () => {
    const app = await installed('0.0.9', {
      plugins: async () => [
        { name: 'old', version: '1.0.0', range: '^1.0.0' },
        { name: 'new', version: '1.0.0', range: '>=1.0.0' },
        { name: 'mute', version: '1.0.0', range: null },
      ],
      kept: async () => [
        { workspace: '/w/parked', runs: { engines: [1, 1, 2], store: 3 } },
        { workspace: '/w/newer', runs: { engines: [], store: 5 } },
        { workspace: '/w/fine', runs: { engines: [2], store: 4 } },
      ],
    });

    const plan = await app.plan({ to: null, registry });
    expect(plan.plugins.map(({ name, fits }) => [name, fits])).toEqual([
      ['old', false],
      ['new', true],
      ['mute', null],
    ]);
    expect(plan.stranded).toEqual([
      { workspace: '/w/parked', problem: expect.stringContaining('2 runs') },
      { workspace: '/w/newer', problem: 'its store has schema 5, 0.2.0 opens 4 at most' },
    ]);
  }, 60_000);

  it('is unknown where the registry has no such version or does not answer, and manual in a checkout', async () => {
    const app = await installed('0.0.9');

    await expect(app.plan({ to: '9.9.9', registry })).rejects.toMatchObject({ code: 'KIT_UPGRADE_UNKNOWN' });
    await expect(app.plan({ to: null, registry: 'http://127.0.0.1:9/' })).rejects.toMatchObject({
      code: 'KIT_UPGRADE_UNKNOWN',
    });
    await expect(app.plan({ to: '1 && rm', registry })).rejects.toMatchObject({ code: 'KIT_USAGE' });
    const plan = await app.plan({ to: null, registry });
    const manual = { ...plan, install: { kind: 'container', how: 'pull {target}' } as const };
    await expect(app.install(manual, { registry })).rejects.toMatchObject({
      code: 'KIT_UPGRADE_MANUAL',
      message: 'pull 0.2.0',
    });
  }, 60_000);
});

describe('kit upgrade', () => {
  it('looks, and exits with 1 when there is a newer one; a checkout is told what to do', async () => {
    const home = await makeHome();
    try {
      const kit = (...argv: string[]) =>
        runKitHere(['upgrade', ...argv, '--registry', registry], {
          cwd: base,
          env: { ...home.env, ...env(), HOME: home.path },
        });
      const checked = await kit('--check', '--json');
      expect(checked, checked.stderr).toMatchObject({ code: 1 });
      expect(checked.lines().at(-1)).toMatchObject({
        installed: '0.1.0',
        target: '0.2.0',
        behind: true,
        method: 'checkout',
        breaking_changes: BREAKING_CHANGES.map(() => expect.objectContaining({ between: false })),
      });
      expect(await kit('--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('git pull') });
      expect(await kit('--check', '--to', '0.0.9')).toMatchObject({ code: 0 });
    } finally {
      await home.remove();
    }
  }, 60_000);
});

describe('the package', () => {
  it('says which level, journals, stores and plugins it goes on with', async () => {
    const { kitRuntime } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'));

    expect(kitRuntime).toMatchObject({ level: INTERFACE_LEVEL, store: SCHEMA_VERSION, pluginApi: PLUGIN_API });
    expect(kitRuntime.engines).toContain(ENGINE);
  });
});
