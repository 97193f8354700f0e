import type { RoleDirectory } from '../../domain/gates.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { sha256Hex } from '../../lib/sha256.js';
import type { Checked } from './registries.js';

/** All role files as one registry, in the order of discovery (docs/design/workspace.md#roles). */
export function roleDirectory(artifacts: readonly Pick<Checked<'RoleRegistry'>, 'value'>[]): RoleDirectory {
  const content = {
    roles: artifacts.flatMap(({ value }) => value.roles),
    identities: artifacts.flatMap(({ value }) => value.identities ?? []),
  };
  return { ...content, digest: sha256Hex(canonicalJson(content)) };
}
