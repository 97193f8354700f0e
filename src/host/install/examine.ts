import { KitError } from '../../domain/errors.js';
import type { PluginProposal } from '../../domain/ports/plugins.js';
import type { ContributionManifest } from '../manifest.js';
import { droppedOf, readCommandManifest, readForeignPjson } from '../package-facts.js';
import { fileInside, packageDigest } from '../package-files.js';
import { type PluginProblem, registerPlugin } from '../registration.js';
import { takeCommands } from '../take-commands.js';

/** Names that a foreign plugin cannot have. */
export interface Reserved {
  /** Command ids and aliases of bundled plugins. */
  readonly commands: ReadonlySet<string>;
  /** Package names of bundled plugins and of kit. */
  readonly packages: ReadonlySet<string>;
}

export type Examined = Omit<PluginProposal, 'action' | 'spec' | 'previous'>;

const refuse = ({ code, message }: PluginProblem): never => {
  throw new KitError(code, message);
};

async function checkFiles(root: string, declared: readonly ContributionManifest[]): Promise<void> {
  for (const { module, configSchema, adapters } of declared) {
    for (const file of [module, ...(configSchema === null ? [] : [configSchema]), ...adapters])
      await fileInside(root, file);
  }
}

/**
 * Everything that can be known of a package without importing it; throws what makes it unusable.
 */
export async function examinePackage(root: string, reserved: Reserved): Promise<Examined> {
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
  const taken = takeCommands(manifest.commands, reserved.commands);
  return {
    name,
    version,
    sha512: await packageDigest(root),
    effects: [...new Set(declared.flatMap(({ effects }) => effects))].sort(),
    contributions: points.flatMap(([point, list]) => list.map(({ id, title }) => `${point} ${id}: ${title}`)),
    commands: taken.commands.map(({ id }) => id.replaceAll(':', ' ')).sort(),
    dropped: [...droppedOf(pjson), ...taken.dropped],
  };
}
