import { foldName } from '../../lib/fold-name.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Art, Checked } from '../link/registries.js';
import type { Place, Report } from '../report.js';

/**
 * Items of a gate are named `mpa-<gate>-<rule>-<role>-r<round>`: such a role would make two ids
 * equal (docs/design/decisions.md#item-ids).
 */
const ROUND_SUFFIX = /-r\d+$/;

interface NamedPlace extends Place {
  readonly name: string;
}

function checkRole(artifact: Art, id: string, place: Place, first: Place | undefined, report: Report): void {
  if (first !== undefined) {
    report.add(
      { artifact, pointer: '/roles' },
      {
        code: 'role.duplicate-id',
        message: `the role \`${id}\` is defined twice`,
        related: [
          { ...place, message: 'defined again here' },
          { ...first, message: 'first defined here' },
        ],
        help: 'rename one of them, or put the members into one',
      },
    );
  }
  if (ROUND_SUFFIX.test(id)) {
    report.add(place, {
      code: 'role.round-suffix',
      message: `the role id \`${id}\` ends with -r and digits, like a review item`,
      help: 'rename the role',
    });
  }
}

/**
 * All registries are one: a role id is used once over all files, and so is every name of a person.
 */
export function checkRoles(artifacts: readonly Checked<'RoleRegistry'>[], report: Report): void {
  const roles = new Map<string, Place>();
  const names = new Map<string, NamedPlace>();
  const spellings = new Set<string>();
  for (const artifact of artifacts) {
    artifact.value.roles.forEach(({ id }, index) => {
      const place: Place = { artifact, pointer: pointerTo('', 'roles', index, 'id') };
      checkRole(artifact, id, place, roles.get(id), report);
      if (!roles.has(id)) roles.set(id, place);
    });
    artifact.value.identities?.forEach(({ id, aliases }, index) => {
      spellings.add(id);
      checkName(id, { artifact, pointer: pointerTo('', 'identities', index, 'id') }, names, report);
      aliases.forEach((alias, at) => {
        spellings.add(alias);
        // One's own id as an alias names nobody else, in whatever spelling.
        if (foldName(alias) !== foldName(id))
          checkName(alias, { artifact, pointer: pointerTo('', 'identities', index, 'aliases', at) }, names, report);
      });
    });
  }
  checkMembers(artifacts, { names, spellings }, report);
}

/**
 * Membership goes by the exact name, and two spellings count as one person: the second one would
 * hold a role that gives it no vote of its own.
 */
function checkMembers(
  artifacts: readonly Checked<'RoleRegistry'>[],
  { names, spellings }: { readonly names: ReadonlyMap<string, NamedPlace>; readonly spellings: ReadonlySet<string> },
  report: Report,
): void {
  const known = new Map(names);
  for (const artifact of artifacts)
    artifact.value.roles.forEach(({ members }, index) => {
      members.forEach((name, at) => {
        const place: Place = { artifact, pointer: pointerTo('', 'roles', index, 'members', at) };
        const folded = foldName(name);
        const first = known.get(folded);
        if (first === undefined) known.set(folded, { ...place, name });
        else if (first.name !== name && !spellings.has(name)) report.add(place, respelt(name, first));
      });
    });
}

const respelt = (name: string, first: NamedPlace): Parameters<Report['add']>[1] => ({
  code: 'role.respelt-member',
  message: `the member \`${name}\` and \`${first.name}\` differ in case or normal form alone`,
  help: 'keep the spelling of the issuer, and add the other one as an alias of the identity',
  related: [{ artifact: first.artifact, pointer: first.pointer, message: 'first named here' }],
});

/** A name of two people would make the one decide as the other. */
function checkName(name: string, place: Place, names: Map<string, NamedPlace>, report: Report): void {
  const folded = foldName(name);
  const first = names.get(folded);
  if (first === undefined) {
    names.set(folded, { ...place, name });
    return;
  }
  const other = first.name === name ? '' : `, first as \`${first.name}\`: the two differ in case or normal form alone`;
  report.add(place, {
    code: 'role.duplicate-identity',
    message: `the identity \`${name}\` is defined twice${other}`,
    related: [{ artifact: first.artifact, pointer: first.pointer, message: 'first defined here' }],
  });
}
