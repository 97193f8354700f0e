import { join } from 'node:path';
import type { Interfaces, Plugin } from '@oclif/core';
import type { PluginCandidate } from '../../host/registration.js';
import { namesOf } from '../../host/take-commands.js';
import { readUserPlugins, type UserPlugin } from '../../host/user-plugins.js';
import { dataDirOf } from './data-dir.js';
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

const BUNDLED = /^@kit-run\/plugin-|^@oclif\/plugin-help$/;

const bundledCandidate = (plugin: Plugin): PluginCandidate => ({
  name: plugin.name,
  version: plugin.version,
  origin: 'bundled',
  root: plugin.root,
  kitKey: 'kit' in plugin.pjson ? plugin.pjson.kit : undefined,
  commands: plugin.commands.map(({ id }) => id),
  dropped: [],
});

/**
 * A bundled dependency lies inside the package; one that is not bundled may have been hoisted
 * beside it.
 */
async function loadBundled(packageRoot: string, name: string): Promise<Plugin> {
  const inside = join(packageRoot, 'node_modules', name);
  const pjson = await readPjson(inside).catch(() => null);
  if (pjson !== null) return loadAt(inside, pjson, 'core');
  const beside = join(packageRoot, '..', '..', name);
  return loadAt(beside, await readPjson(beside), 'core');
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
  bundled: readonly Plugin[],
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

/**
 * Reads package.json and manifest of every plugin and imports none of their modules. Bundled ones
 * are the root's dependencies named `@kit-run/plugin-*`; foreign ones come from this user's list,
 * with everything but commands removed.
 */
export async function loadPlugins({ packageRoot, env }: DiscoveryInput): Promise<LoadedPlugins> {
  const rootPjson = await readPjson(packageRoot);
  const dataDir = dataDirOf(env);
  const names = Object.keys(rootPjson.dependencies ?? {}).filter((name) => BUNDLED.test(name));
  const [root, users, ...bundled] = await Promise.all([
    loadAt(packageRoot, rootPjson, 'core'),
    readUserPlugins(dataDir),
    ...names.map((name) => loadBundled(packageRoot, name)),
  ]);
  root.isRoot = true;
  const foreign = users.length === 0 ? [] : await loadAllForeign(users, [root, ...bundled], dataDir);
  const plugins = [root, ...bundled, ...foreign.flatMap(({ plugin }) => plugin ?? [])];
  const candidates = [
    ...bundled.filter(({ pjson }) => 'kit' in pjson).map(bundledCandidate),
    ...foreign.map(({ candidate }) => candidate),
  ];
  return { map: new Map(plugins.map((plugin) => [plugin.name, plugin])), candidates, dataDir, packageRoot };
}
