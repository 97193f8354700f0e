import { KitError } from '../../domain/errors.js';
import type { PluginProposal } from '../../domain/ports/plugins.js';
import type { ContributionManifest } from '../manifest.js';
import { droppedOf, readCommandManifest, readForeignPjson } from '../package-facts.js';
import { fileInside, packageDigest } from '../package-files.js';
import { type PluginCandidate, type PluginProblem, registerPlugin } from '../registration.js';
import { registerAll } from '../registry.js';
import { namesOf, takeCommands } from '../take-commands.js';

/** Names that a foreign plugin cannot have. */
export interface Reserved {
  /** Command ids and aliases of bundled plugins. */
  readonly commands: ReadonlySet<string>;
  /** Package names of bundled plugins and of kit. */
  readonly packages: ReadonlySet<string>;
  /** Every plugin that is there: two that claim one id cannot both be used. */
  readonly candidates: readonly PluginCandidate[];
}

export type Examined = Omit<PluginProposal, 'action' | 'spec' | 'previous' | 'changedFiles'>;

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
