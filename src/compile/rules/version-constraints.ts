import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { objectAt, textAt } from '../read.js';
import type { Report } from '../report.js';

/**
 * The adapter behind an executor block, and null for a model or a plugin's executor, which have no
 * artifact with a version.
 */
function adapterOf(linked: Linked, archetype: Art): { readonly id: string; readonly version: string } | null {
  const executor = objectAt(archetype.value, 'executor');
  const kind = textAt(executor, 'kind');
  const id = (kind === 'harness' ? textAt(executor, 'ref') : kind) ?? '';
  const artifact = linked.catalogue.adapters.get(id);
  if (artifact === undefined) return null;
  return { id, version: textAt(objectAt(artifact.value, 'provenance'), 'version') ?? '' };
}

/**
 * `executor.version_constraint`: a semver range that the adapter's `provenance.version` lies in.
 * What an adapter is decides how its harness is started and read; the version of the harness itself
 * is the business of who installs it.
 */
export function checkVersionConstraints(linked: Linked, report: Report): void {
  for (const archetype of linked.registries.archetypes.values()) {
    const range = textAt(objectAt(archetype.value, 'executor'), 'version_constraint');
    if (range === null) continue;
    const place = { artifact: archetype, pointer: '/executor/version_constraint' };
    if (validRange(range) === null) {
      report.add(place, {
        code: 'archetype.bad-version',
        message: `\`${range}\` is not a range of versions`,
        help: 'write a semver range such as `^1.2.0`',
      });
      continue;
    }
    const adapter = adapterOf(linked, archetype);
    if (adapter === null) {
      // An adapter that does not exist has its own diagnostic.
      if (textAt(objectAt(archetype.value, 'executor'), 'kind') === 'harness') continue;
      report.add(place, {
        code: 'archetype.bad-version',
        message: 'only an adapter has a version to require',
        help: 'remove the key; the requirements of a plugin are checked when it is installed',
      });
    } else if (!satisfies(adapter.version, range)) {
      report.add(place, {
        code: 'archetype.other-version',
        message: `the adapter \`${adapter.id}\` is version ${adapter.version}, which is not in \`${range}\``,
        help: 'use an adapter of that version, or correct the range',
      });
    }
  }
}
