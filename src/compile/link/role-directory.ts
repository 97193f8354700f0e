import type { RoleDirectory } from '../../domain/gates.js';
import type { Artifact } from '../../domain/workspace.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { sha256Hex } from '../../lib/sha256.js';
import { isObject } from '../document.js';
import { objectsAt, textAt, textsAt } from '../read.js';

/** All role registries as one (artifacts.md 8); in file order. The first of two roles of one id holds, as the load refuses the second. */
export function roleDirectory(registries: readonly Pick<Artifact<unknown>, 'value'>[]): RoleDirectory {
  const values = registries.map(({ value }) => value).filter((value) => isObject(value));
  const roles = values.flatMap((value) =>
    objectsAt(value, 'roles').map((role) => ({ id: textAt(role, 'id') ?? '', members: textsAt(role, 'members'), scopes: textsAt(role, 'scopes') })),
  );
  const identities = values.flatMap((value) =>
    objectsAt(value, 'identities').map((identity) => ({ id: textAt(identity, 'id') ?? '', aliases: textsAt(identity, 'aliases') })),
  );
  return { roles, identities, digest: sha256Hex(canonicalJson({ roles, identities })) };
}
