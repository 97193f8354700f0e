import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import type { ExecutorBlock } from '../../domain/generated/artifacts.js';
import type { Linked } from '../link/link-workspace.js';
import type { Report } from '../report.js';

/**
 * The adapter behind an executor block, and null for a model or a plugin's executor, which have no
 * artifact with a version.
 */
function adapterOf(
  linked: Linked,
  { kind, ref = '' }: ExecutorBlock,
): { readonly id: string; readonly version: string } | null {
  const id = kind === 'harness' ? ref : kind;
  const artifact = linked.catalogue.adapters.get(id);
  return artifact === undefined ? null : { id, version: artifact.value.provenance.version };
}

/**
 * `executor.version_constraint`: a semver range that the adapter's `provenance.version` lies in.
 * What an adapter is decides how its harness is started and read; the version of the harness itself
 * is the business of who installs it.
 */
export function checkVersionConstraints(linked: Linked, report: Report): void {
  for (const archetype of linked.registries.archetypes.values()) {
    const { executor } = archetype.value;
    const range = executor?.version_constraint;
    if (executor === undefined || range === undefined) continue;
    const place = { artifact: archetype, pointer: '/executor/version_constraint' };
    if (validRange(range) === null) {
      report.add(place, {
        code: 'archetype.bad-version',
        message: `\`${range}\` is not a range of versions`,
        help: 'write a semver range such as `^1.2.0`',
      });
      continue;
    }
    const adapter = adapterOf(linked, executor);
    if (adapter === null) {
      // An adapter that does not exist has its own diagnostic.
      if (executor.kind === 'harness') continue;
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
