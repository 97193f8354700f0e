import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Interfaces } from '@oclif/core';
import { Plugin } from '@oclif/core';

/** The plugins of this start, as oclif wants them. */
export interface LoadedPlugins {
  readonly map: Map<string, Interfaces.Plugin>;
}

/** Environment and place that discovery depends on. */
export interface DiscoveryInput {
  readonly packageRoot: string;
  readonly env: NodeJS.ProcessEnv;
}

const BUNDLED = /^@kit-run\/plugin-|^@oclif\/plugin-help$/;

const readJson = async (path: string): Promise<Interfaces.PJSON> => JSON.parse(await readFile(path, 'utf8')) as Interfaces.PJSON; // our own package.json

/** With `isRoot` and a given package.json oclif searches nothing on disk: the root is known. */
async function loadAt(root: string, pjson: Interfaces.PJSON, type: 'core' | 'user' | 'link'): Promise<Plugin> {
  const plugin = new Plugin({ root, pjson, isRoot: true, name: pjson.name, type });
  await plugin.load();
  plugin.isRoot = false;
  return plugin;
}

/** Reads package.json and manifest of every bundled plugin, in parallel; imports none of their modules. */
export async function loadPlugins({ packageRoot }: DiscoveryInput): Promise<LoadedPlugins> {
  const rootPjson = await readJson(join(packageRoot, 'package.json'));
  const names = Object.keys(rootPjson.dependencies ?? {}).filter((name) => BUNDLED.test(name));
  const bundled = await Promise.all(
    names.map(async (name) => {
      const root = join(packageRoot, 'node_modules', name);
      return loadAt(root, await readJson(join(root, 'package.json')), 'core');
    }),
  );
  const root = await loadAt(packageRoot, rootPjson, 'core');
  root.isRoot = true;
  return { map: new Map([root, ...bundled].map((plugin) => [plugin.name, plugin])) };
}
