import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestOf } from '../../scripts/lib/manifests.mjs';
import { ENV_REGISTRY } from '../../src/domain/env.js';
import { projectRoot } from '../support/kit-process.js';

const read = (path: string): Promise<string> => readFile(join(projectRoot, path), 'utf8');
const tracked = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], { cwd: projectRoot, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
const pluginFolders = tracked('plugins/*/package.json').map((path) => path.replace('/package.json', ''));
const root = JSON.parse(await read('package.json'));

describe('the repository', () => {
  it('records no registry host in the lockfile', async () => {
    const lock = JSON.parse(await read('package-lock.json')) as { readonly packages: Readonly<Record<string, { readonly resolved?: string }>> };

    const hosts = Object.values(lock.packages).filter(({ resolved }) => resolved?.includes('://'));

    expect(hosts).toEqual([]);
    expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
  });

  it('lists and bundles every plugin of plugins/', async () => {
    const names = await Promise.all(pluginFolders.map(async (folder) => JSON.parse(await read(`${folder}/package.json`)).name));

    expect(Object.keys(root.dependencies)).toEqual(expect.arrayContaining(names));
    expect([...root.bundleDependencies].sort()).toEqual([...names].sort());
  });

  it('pins every dependency to one version', () => {
    const versions = Object.entries({ ...root.dependencies, ...root.devDependencies });

    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual([]);
  });

  it.each(pluginFolders)('has a fresh oclif manifest in %s', async (folder) => {
    expect(await read(`${folder}/oclif.manifest.json`)).toBe(await manifestOf(join(projectRoot, folder)));
  });

  it('reads no KIT_* variable that the registry does not list', async () => {
    const registered = new Set(ENV_REGISTRY.map(({ name }) => name));
    const given = new Set(['KIT_STEP_ID', 'KIT_RUN_ID', 'KIT_AGENT_ID', 'KIT_JOB_ID', 'KIT_PLUGIN_API']); // kit sets these for its children, or they are constants
    const files = tracked('src/**/*.ts', 'plugins/*/src/**/*.ts');
    const sources = await Promise.all(files.map(async (file) => ({ file, text: await read(file) })));

    const unknown = sources
      .flatMap(({ file, text }) => [...text.matchAll(/env(?:\.|\[['"])(KIT_[A-Z0-9_]+)/g)].map(([, name]) => `${file}: ${name}`))
      .filter((use) => !registered.has(use.split(': ')[1]!) && !given.has(use.split(': ')[1]!));

    expect(unknown).toEqual([]);
  });

  it('reads the environment of the process in boot alone', async () => {
    const programs = ['plugins/harness/src/test-runner/main.ts']; // started as processes of their own
    const files = tracked('src/**/*.ts', 'plugins/*/src/**/*.ts').filter((file) => !file.startsWith('src/boot/') && !programs.includes(file));
    const readers = await Promise.all(
      files.map(async (file) => (/process\.env\b/.test((await read(file)).replace(/^\s*(\/\/|\*).*$/gm, '')) ? file : null)),
    );

    expect(readers.filter((file) => file !== null)).toEqual([]);
  });

  it('starts through a bin of at most 15 lines', async () => {
    expect((await read('bin/kit.js')).trim().split('\n').length).toBeLessThanOrEqual(15);
  });
});
