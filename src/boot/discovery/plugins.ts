import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Interfaces, Plugin } from '@oclif/core';
import type { PluginCandidate } from '../../host/registration.js';
import { namesOf } from '../../host/take-commands.js';
import { readUserPlugins, type UserPlugin } from '../../host/user-plugins.js';
import { type ForeignGuard, type ForeignPlugin, loadForeign } from './foreign.js';
import { loadAt, readPjson } from './load-at.js';

/** The plugins of this start: as oclif wants them, and as the plugin host wants them. */
export interface LoadedPlugins {
  readonly map: Map<string, Interfaces.Plugin>;
  readonly candidates: readonly PluginCandidate[];
  readonly dataDir: string;
  readonly packageRoot: string;
}

export interface DiscoveryInput {
  readonly packageRoot: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Directory of this user's plugins; the same that oclif computes (a test compares), needed before
 * oclif has loaded.
 */
export function dataDirOf(env: NodeJS.ProcessEnv): string {
  if (env.KIT_DATA_DIR) return resolve(env.KIT_DATA_DIR);
  const windows = process.platform === 'win32' ? env.LOCALAPPDATA : undefined;
  return join(env.XDG_DATA_HOME || windows || join(env.HOME || homedir(), '.local', 'share'), 'kit');
}

const bundledCandidate = (plugin: Plugin): PluginCandidate => ({
  name: plugin.name,
  version: plugin.version,
  origin: 'bundled',
  root: plugin.root,
  kitKey: 'kit' in plugin.pjson ? plugin.pjson.kit : undefined,
  commands: plugin.commands.map(({ id }) => id),
  dropped: [],
});

/** Dependencies of kit that are plugins of oclif, by name. */
const INSTALLED = ['@oclif/plugin-help'];

/** A dependency lies inside the package, or has been hoisted beside it. */
async function loadInstalled(packageRoot: string, name: string): Promise<Plugin> {
  const inside = join(packageRoot, 'node_modules', name);
  const pjson = await readPjson(inside).catch(() => null);
  if (pjson !== null) return loadAt(inside, pjson, 'core');
  const beside = join(packageRoot, '..', '..', name);
  return loadAt(beside, await readPjson(beside), 'core');
}

/** Every folder of `plugins/` that is a package, in order of names. */
async function loadOwn(packageRoot: string): Promise<readonly Plugin[]> {
  const folder = join(packageRoot, 'plugins');
  const loaded = await Promise.all(
    (await readdir(folder)).sort().map(async (name) => {
      const root = join(folder, name);
      const pjson = await readPjson(root).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
        throw error;
      });
      return pjson === null ? [] : [await loadAt(root, pjson, 'core')];
    }),
  );
  return loaded.flat();
}

/** Asked before a module of a foreign plugin's command is imported. */
const foreignGuard =
  (dataDir: string): ForeignGuard =>
  async (plugin, file) => {
    const [{ createIntegrityLock }, { fileInside }] = await Promise.all([
      import('../../host/integrity-lock.js'),
      import('../../host/package-files.js'),
    ]);
    await createIntegrityLock(dataDir).verify(plugin);
    await fileInside(plugin.root, file);
  };

/** In order of names, so that of two plugins that offer a command always the same one has it. */
async function loadAllForeign(
  users: readonly UserPlugin[],
  bundled: readonly Pick<Interfaces.Plugin, 'name' | 'commands'>[],
  dataDir: string,
): Promise<readonly ForeignPlugin[]> {
  const taken = new Set(bundled.flatMap((plugin) => namesOf(plugin.commands)));
  const bundledNames = new Set(bundled.map(({ name }) => name));
  const loaded: ForeignPlugin[] = [];
  for (const entry of [...users].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const foreign = await loadForeign(entry, { taken, bundledNames, guard: foreignGuard(dataDir) });
    for (const name of namesOf(foreign.plugin?.commands ?? [])) taken.add(name);
    loaded.push(foreign);
  }
  return loaded;
}

/** The foreign plugins of this user as they are installed now, maybe after the start. */
export async function foreignNow({ map, dataDir }: Pick<LoadedPlugins, 'map' | 'dataDir'>) {
  const bundled = [...map.values()].filter(({ type }) => type === 'core');
  const foreign = await loadAllForeign(await readUserPlugins(dataDir), bundled, dataDir);
  return foreign.map(({ candidate }) => candidate);
}

/**
 * Reads package.json and manifest of every plugin and imports none of their modules. Bundled ones
 * are the folders of the root's `plugins/`; foreign ones come from this user's list, with
 * everything but commands removed.
 */
export async function loadPlugins({ packageRoot, env }: DiscoveryInput): Promise<LoadedPlugins> {
  const rootPjson = await readPjson(packageRoot);
  const dataDir = dataDirOf(env);
  const [root, users, own, ...installed] = await Promise.all([
    loadAt(packageRoot, rootPjson, 'core'),
    readUserPlugins(dataDir),
    loadOwn(packageRoot),
    ...INSTALLED.map((name) => loadInstalled(packageRoot, name)),
  ]);
  const bundled = [...own, ...installed];
  root.isRoot = true;
  const foreign = users.length === 0 ? [] : await loadAllForeign(users, [root, ...bundled], dataDir);
  const plugins = [root, ...bundled, ...foreign.flatMap(({ plugin }) => plugin ?? [])];
  const candidates = [
    ...bundled.filter(({ pjson }) => 'kit' in pjson).map(bundledCandidate),
    ...foreign.map(({ candidate }) => candidate),
  ];
  return { map: new Map(plugins.map((plugin) => [plugin.name, plugin])), candidates, dataDir, packageRoot };
}
