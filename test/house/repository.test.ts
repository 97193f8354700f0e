import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestOf } from '../../scripts/lib/manifests.mjs';
import { projectRoot } from '../support/kit-process.js';
import { tracked } from '../support/markdown.js';

const read = (path: string): Promise<string> => readFile(join(projectRoot, path), 'utf8');
const pluginFolders = tracked('plugins/*/package.json').map((path) => path.replace('/package.json', ''));
const root = JSON.parse(await read('package.json'));

describe('the repository', () => {
  it('records no registry host in the lockfile', async () => {
    const lock = JSON.parse(await read('package-lock.json')) as {
      readonly packages: Readonly<Record<string, { readonly resolved?: string }>>;
    };

    const hosts = Object.values(lock.packages).filter(({ resolved }) => resolved?.includes('://'));

    expect(hosts).toEqual([]);
    expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
  });

  it('pins every dependency to one version', () => {
    const versions = Object.entries({
      ...root.dependencies,
      ...root.devDependencies,
    });

    expect(
      versions.filter(([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version))),
    ).toEqual([]);
  });

  it.each(pluginFolders)('has a fresh oclif manifest in %s', async (folder) => {
    expect(await read(`${folder}/oclif.manifest.json`)).toBe(await manifestOf(join(projectRoot, folder)));
  });

  it.each(pluginFolders)(
    'names the commands of the manifest in %s by their order, and not by that of the file system',
    async (folder) => {
      const names = Object.keys(JSON.parse(await manifestOf(join(projectRoot, folder))).commands);

      expect(names).toEqual([...names].sort());
    },
  );

  it.each(pluginFolders)('breaks no sentence of a help text in %s', async (folder) => {
    const { commands } = JSON.parse(await read(`${folder}/oclif.manifest.json`)) as {
      readonly commands: Readonly<Record<string, { readonly description?: string }>>;
    };
    const broken = Object.entries(commands).filter(([, { description = '' }]) =>
      /[^.:\n]\n(?! |\n|\w+:)/.test(description),
    );

    expect(broken.map(([id]) => id)).toEqual([]);
  });

  it('has no port of more than 300 lines', async () => {
    const ports = tracked('src/domain/ports/*.ts');
    const lengths = await Promise.all(
      ports.map(async (path) => [path, (await read(path)).split('\n').length - 1] as const),
    );

    expect(lengths.filter(([, lines]) => lines > 300)).toEqual([]);
    expect(ports.length).toBeGreaterThan(10);
  });

  it('holds no remainder of a merge', async () => {
    const texts = tracked('*.md', '*.ts', '*.mjs', '*.yaml', '*.json', '*.sh');
    const marked = await Promise.all(
      texts.map(async (path) => (/^(<{7,}|>{7,}) |^={7}$/m.test(await read(path)) ? [path] : [])),
    );

    expect(marked.flat()).toEqual([]);
    expect(texts.length).toBeGreaterThan(100);
  });

  it('starts through a bin of at most 15 lines', async () => {
    expect((await read('bin/kit.js')).trim().split('\n').length).toBeLessThanOrEqual(15);
  });
});
