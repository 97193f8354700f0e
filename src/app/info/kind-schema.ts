import type { Kind } from '../../domain/artifact.js';
import { KitError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { bundleSchema } from '../../lib/bundle-schema.js';
import { hintFor } from '../../lib/nearest.js';

/** Every kind with the file of its schema. */
const FILES: Readonly<Record<Kind, string>> = {
  Workspace: 'workspace.schema.json',
  Topology: 'topology.schema.json',
  Archetype: 'archetype.schema.json',
  Skill: 'skill.schema.json',
  Funnel: 'funnel.schema.json',
  Contract: 'contract.schema.json',
  RoleRegistry: 'role-registry.schema.json',
  Trigger: 'trigger.schema.json',
  ExecutorAdapter: 'executor-adapter.schema.json',
  ModelProvider: 'model-provider.schema.json',
  EvalSet: 'eval-set.schema.json',
};

const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '');

/**
 * See `InfoApp.schema`. `readSchema` reads a file of the kind schemas that come with kit; null =
 * there is none.
 */
export async function kindSchema(
  name: string,
  readSchema: (file: string) => Promise<JsonObject | null>,
): Promise<JsonObject> {
  const found = Object.entries(FILES).find(([kind]) => plain(kind) === plain(name));
  const root = found === undefined ? null : await readSchema(found[1]);
  if (root !== null) return bundleSchema(root, readSchema);
  const names = Object.values(FILES).map((file) => file.replace('.schema.json', ''));
  throw new KitError('KIT_SCHEMA_UNKNOWN', `there is no kind ${name}; the kinds are ${names.join(', ')}`, {
    hint: hintFor(name, names, { fallback: 'Name one of the kinds that are listed.' }),
  });
}
