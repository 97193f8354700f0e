import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { KitError, messageOf } from '../../domain/errors.js';
import type { PluginInstaller, PluginProposal } from '../../domain/ports/plugins.js';
import { hintFor } from '../../lib/nearest.js';
import type { IntegrityLock } from '../integrity-lock.js';
import type { ContributionManifest } from '../manifest.js';
import { droppedOf, readCommandManifest, readForeignPjson } from '../package-facts.js';
import { fileInside, packageDigest } from '../package-files.js';
import { openPackageFolder } from '../plugin-folder.js';
import { type PluginCandidate, type PluginProblem, registerPlugin } from '../registration.js';
import { registerAll } from '../registry.js';
import { namesOf, takeCommands } from '../take-commands.js';
import { readUserPlugins, type UserPlugin } from '../user-plugins.js';
import { type ChildParts, runPluginPlugins } from './run-plugin-plugins.js';

/** Names that a foreign plugin cannot have. */
interface Reserved {
  /** Command ids and aliases of bundled plugins. */
  readonly commands: ReadonlySet<string>;
  /** Package names of bundled plugins and of kit. */
  readonly packages: ReadonlySet<string>;
  /** Every plugin that is there: two that claim one id cannot both be used. */
  readonly candidates: readonly PluginCandidate[];
}

type Examined = Omit<PluginProposal, 'action' | 'spec' | 'previous' | 'changedFiles'>;

const refuse = ({ code, message, hint }: PluginProblem): never => {
  throw new KitError(code, message, hint === undefined ? {} : { hint });
};

async function checkFiles(root: string, declared: readonly ContributionManifest[]): Promise<void> {
  for (const { module, configSchema, adapters } of declared) {
    for (const file of [module, ...(configSchema === null ? [] : [configSchema]), ...adapters])
      await fileInside(root, file);
  }
}

/** The plugin that it takes the place of does not count. */
function refuseClash({ candidates }: Reserved, candidate: PluginCandidate): void {
  const others = candidates.filter(({ name }) => name !== candidate.name);
  const problem = registerAll([...others, candidate]).at(-1)?.problem ?? null;
  if (problem !== null) refuse(problem);
}

/**
 * Everything that can be known of a package without importing it; throws what makes it unusable.
 */
async function examinePackage(root: string, reserved: Reserved): Promise<Examined> {
  const pjson = await readForeignPjson(root);
  const { name, version } = pjson;
  if (reserved.packages.has(name))
    refuse({ code: 'KIT_PLUGIN_DUPLICATE_ID', message: `${name} is the name of a bundled package` });
  const registration = registerPlugin({ name, kitKey: pjson.kit });
  if (!registration.ok) return refuse(registration.problem);
  const manifest = await readCommandManifest(root, pjson);
  if (!manifest.ok) return refuse(manifest.problem);
  const points = Object.entries(registration.manifest.contributes);
  const declared = points.flatMap(([, list]) => list);
  await checkFiles(root, declared);
  refuseClash(reserved, { name, version, origin: 'user', root, kitKey: pjson.kit, commands: [], dropped: [] });
  const taken = takeCommands(manifest.commands, reserved.commands);
  return {
    name,
    version,
    sha512: await packageDigest(root),
    effects: [...new Set(declared.flatMap(({ effects }) => effects))].sort(),
    contributions: points.flatMap(([point, list]) => list.map(({ id, title }) => `${point} ${id}: ${title}`)),
    commands: namesOf(taken.commands)
      .map((name) => name.replaceAll(':', ' '))
      .sort(),
    dropped: [...droppedOf(pjson), ...taken.dropped],
  };
}

export interface InstallerParts extends ChildParts {
  /** Where this user's plugins lie. */
  readonly dataDir: string;
  /** Folder for temporary files. */
  readonly tempDir: string;
  readonly lock: IntegrityLock;
  readonly reserved: Reserved;
}

/** A path becomes `file:<absolute>`; anything else is npm's business. */
async function normalizeSpec(spec: string, cwd: string): Promise<string> {
  const path = resolve(cwd, spec.replace(/^file:/, ''));
  const info = await stat(path).catch(() => null);
  if (info?.isDirectory() && !/^@?[\w-]+(\/[\w.-]+)?$/.test(spec))
    throw new KitError('KIT_USAGE', `${spec} is a directory`, { hint: `Run \`kit plugins link ${spec}\`.` });
  if (info?.isFile()) return `file:${path}`;
  if (spec.endsWith('.tgz') && !spec.includes('://'))
    throw new KitError('KIT_USAGE', `${spec} does not exist`, { hint: 'Give the path of a packed plugin.' });
  return spec;
}

/** Installs into a directory of its own, looks, and removes it again. */
async function fetchAndExamine(parts: InstallerParts, spec: string): Promise<Examined> {
  const staging = await mkdtemp(join(parts.tempDir, 'kit-plugin-'));
  try {
    await runPluginPlugins(parts, staging, ['plugins:install', spec]);
    const [installed] = await readUserPlugins(staging);
    if (installed === undefined) throw new KitError('KIT_PLUGIN_INSTALL_FAILED', `${spec} installed nothing`);
    return await examinePackage(installed.root, parts.reserved);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function propose(
  parts: InstallerParts,
  examined: Examined,
  how: Pick<PluginProposal, 'action' | 'spec'>,
): Promise<PluginProposal> {
  const previous = await parts.lock.read(examined.name);
  const changedFiles = how.action === 'link' ? [] : await parts.lock.changes();
  return { ...examined, ...how, changedFiles, previous };
}

/** Throws KIT_PLUGIN_LOAD_FAILED where the folder of a linked plugin is there no more. */
async function openLinked({ name, root }: UserPlugin): Promise<void> {
  await openPackageFolder(root, 'KIT_PLUGIN_LOAD_FAILED').catch((error: unknown) => {
    throw new KitError('KIT_PLUGIN_LOAD_FAILED', `${name} is linked, and ${messageOf(error)}`, {
      hint: `Put the folder back, or end the link: kit plugins uninstall ${name}`,
      cause: error,
    });
  });
}

async function installedNamed(parts: InstallerParts, name: string): Promise<UserPlugin> {
  const installed = await readUserPlugins(parts.dataDir);
  const found = installed.find((plugin) => plugin.name === name);
  if (found === undefined) {
    const known = installed.map((plugin) => plugin.name);
    throw new KitError('KIT_PLUGIN_UNKNOWN', `${name} is not installed by this user`, {
      hint: hintFor(name, known, { fallback: 'Run `kit plugins inspect` to list the plugins.' }),
    });
  }
  return found;
}

/** The root where the accepted plugin now lies. */
async function place(parts: InstallerParts, { action, spec, name }: PluginProposal): Promise<string> {
  await runPluginPlugins(
    parts,
    parts.dataDir,
    action === 'link' ? ['plugins:link', '--no-install', spec] : ['plugins:install', spec],
  );
  return (await installedNamed(parts, name)).root;
}

/**
 * Takes plugins in through plugin-plugins in a child process: examined first, placed when accepted,
 * locked by digest.
 */
export function createInstaller(parts: InstallerParts): PluginInstaller {
  const uninstall = async (name: string): Promise<void> => {
    await installedNamed(parts, name);
    const refused = await parts.lock.changes();
    await runPluginPlugins(parts, parts.dataDir, ['plugins:uninstall', name]);
    await parts.lock.write(name, null, refused);
  };
  return {
    proposeInstall: async (given) => {
      const spec = await normalizeSpec(given, parts.cwd);
      return propose(parts, await fetchAndExamine(parts, spec), { action: 'install', spec });
    },
    proposeLink: async (directory) => {
      const spec = resolve(parts.cwd, directory);
      await openPackageFolder(spec, 'KIT_PLUGIN_LOAD_FAILED');
      return propose(parts, await examinePackage(spec, parts.reserved), { action: 'link', spec });
    },
    proposeUpdate: async (name) => {
      const installed = await installedNamed(parts, name);
      if (installed.type === 'link') {
        await openLinked(installed);
        return propose(parts, await examinePackage(installed.root, parts.reserved), {
          action: 'link',
          spec: installed.root,
        });
      }
      return propose(parts, await fetchAndExamine(parts, installed.source), {
        action: 'update',
        spec: installed.source,
      });
    },
    updatable: async () => (await readUserPlugins(parts.dataDir)).map(({ name }) => name),
    accept: async (proposal) => {
      const root = await place(parts, proposal);
      const { name, version, sha512, effects, commands, action } = proposal;
      if ((await packageDigest(root)) !== sha512) {
        await uninstall(name);
        throw new KitError(
          'KIT_PLUGIN_INTEGRITY',
          `other files of ${name} arrived than those that were shown; it was removed again`,
        );
      }
      const entry = { version, sha512, effects, commands };
      return action === 'link'
        ? parts.lock.write(name, { ...entry, linked: await realpath(root) }, await parts.lock.changes())
        : parts.lock.write(name, entry);
    },
    uninstall,
  };
}
