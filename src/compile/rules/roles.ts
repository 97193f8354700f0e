import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { objectsAt, textAt } from '../read.js';
import type { Place, Report } from '../report.js';

/** Items of a gate are named `mpa-<gate>-<rule>-<role>-r<round>`: such a role would make two ids equal (DESIGN section 11). */
const ROUND_SUFFIX = /-r\d+$/;

function checkRole(artifact: Art, id: string, place: Place, first: Place | undefined, report: Report): void {
  if (first !== undefined) {
    report.add(
      { artifact, pointer: '/roles' },
      { code: 'role.duplicate-id', message: `the role \`${id}\` is defined twice`, related: [{ ...first, message: 'first defined here' }] },
    );
  }
  if (ROUND_SUFFIX.test(id)) {
    report.add(place, {
      code: 'role.round-suffix',
      message: `the role id \`${id}\` ends like the round of a review item`,
      help: 'rename the role: ids may not end in -r and digits',
    });
  }
}

/** All registries are one: a role id is used once over all files. */
export function checkRoles(linked: Linked, report: Report): void {
  const seen = new Map<string, Place>();
  const identities = new Map<string, Place>();
  for (const artifact of linked.registries.roles) {
    objectsAt(artifact.value, 'roles').forEach((role, index) => {
      const id = textAt(role, 'id') ?? '';
      const place: Place = { artifact, pointer: pointerTo('', 'roles', index, 'id') };
      checkRole(artifact, id, place, seen.get(id), report);
      if (!seen.has(id)) seen.set(id, place);
    });
    objectsAt(artifact.value, 'identities').forEach((identity, index) => {
      const id = textAt(identity, 'id') ?? '';
      const place: Place = { artifact, pointer: pointerTo('', 'identities', index, 'id') };
      const first = identities.get(id);
      if (first !== undefined)
        report.add(place, {
          code: 'role.duplicate-identity',
          message: `the identity \`${id}\` is defined twice`,
          related: [{ ...first, message: 'first defined here' }],
        });
      else identities.set(id, place);
    });
  }
}
