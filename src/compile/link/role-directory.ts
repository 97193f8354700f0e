import type { RoleDirectory } from '../../domain/gates.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { sha256Hex } from '../../lib/sha256.js';
import { objectsAt, textAt, textsAt } from '../read.js';
import type { Art } from './registries.js';

/** All role files as one registry, in the order of discovery (docs/design/workspace.md#roles). */
export function roleDirectory(artifacts: readonly Pick<Art, 'value'>[]): RoleDirectory {
  const content = {
    roles: artifacts.flatMap(({ value }) =>
      objectsAt(value, 'roles').map((role) => ({
        id: textAt(role, 'id') ?? '',
        members: textsAt(role, 'members'),
        scopes: textsAt(role, 'scopes'),
      })),
    ),
    identities: artifacts.flatMap(({ value }) =>
      objectsAt(value, 'identities').map((identity) => ({
        id: textAt(identity, 'id') ?? '',
        aliases: textsAt(identity, 'aliases'),
      })),
    ),
  };
  return { ...content, digest: sha256Hex(canonicalJson(content)) };
}
