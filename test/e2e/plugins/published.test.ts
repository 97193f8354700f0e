import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { projectRoot } from '../../support/kit-process.js';
import { type NpmRegistry, startNpmRegistry } from '../../support/npm-registry.js';
import { npmCli } from '../../support/plugin-package.js';
import { lastOf, makeWorld, type World } from '../world.js';

let world: World;
let registry: NpmRegistry;
beforeAll(async () => {
  [world, registry] = await Promise.all([makeWorld(), startNpmRegistry()]);
  await writeFile(join(world.home.path, '.npmrc'), registry.npmrc);
});
afterAll(async () => {
  await registry.close();
  await world.dispose();
});

const NAME = '@acme/kit-plugin-topologies';

/** In place of the registry that no test reaches. */
const here = () => ({ npm_config_registry: registry.url });
const kit = (argv: readonly string[]) => world.kit(argv, { env: here() });

/** As an author types it: with the npm of the machine, which looks for its registry in HOME. */
const npm = (args: readonly string[], cwd: string) =>
  promisify(execFile)(process.execPath, [npmCli(), ...args, '--no-update-notifier'], {
    cwd,
    env: { ...world.env, ...here() },
  });

it('a plugin in TypeScript is published to a registry, installed and updated from it by its name, and runs', async () => {
  const folder = join(world.base, 'mine');
  const made = await world.here(['plugins', 'new', 'commands', folder, '--typescript', '--name', NAME]);
  await npm(['publish', '--access', 'public'], folder);

  const refused = lastOf(await kit(['plugins', 'install', '@acme/kit-plugin-nowhere', '--yes', '--json']));
  const installed = await kit(['plugins', 'install', NAME, '--yes', '--json']);
  const ran = await kit(['topologies', join(projectRoot, 'templates/hello'), '--json']);

  const manifest = await readFile(join(folder, 'package.json'), 'utf8');
  await writeFile(join(folder, 'package.json'), manifest.replace('"version": "0.1.0"', '"version": "0.1.1"'));
  const commands = await readFile(join(folder, 'oclif.manifest.json'), 'utf8');
  await writeFile(join(folder, 'oclif.manifest.json'), commands.replace('"version": "0.1.0"', '"version": "0.1.1"'));
  await npm(['publish', '--access', 'public'], folder);
  const updated = await kit(['plugins', 'update', '--yes', '--json']);
  const listed = await kit(['plugins', 'list', '--json']);

  expect(made.code, made.stderr).toBe(0);
  expect(refused).toMatchObject({ type: 'error', code: 'KIT_PLUGIN_INSTALL_FAILED' });
  expect(lastOf(installed), installed.stderr).toMatchObject({ state: 'accepted', commands: ['topologies'] });
  expect(lastOf(ran)).toMatchObject({ type: 'result', topologies: 1 });
  expect(updated.code, updated.stderr).toBe(0);
  expect(listed.stdout).toMatch(/"@acme\/kit-plugin-topologies"[^}]*"0\.1\.1"/);
});
