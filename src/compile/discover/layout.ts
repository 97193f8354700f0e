import type { Kind } from '../../domain/artifact.js';

/** One folder of a workspace and the kind that its files must carry. */
export interface KindFolder {
  readonly folder: string;
  readonly kind: Kind;
  /** How many levels of sub-folders may hold artifacts (docs/design/workspace.md#discovery). */
  readonly depth: 0 | 1;
}

/** Fixed order of discovery, and so of diagnostics (docs/design/workspace.md#discovery, rule 5). */
export const KIND_FOLDERS: readonly KindFolder[] = [
  { folder: 'topologies', kind: 'Topology', depth: 1 },
  { folder: 'archetypes', kind: 'Archetype', depth: 1 },
  { folder: 'skills', kind: 'Skill', depth: 1 },
  { folder: 'triggers', kind: 'Trigger', depth: 1 },
  { folder: 'schedules', kind: 'Trigger', depth: 1 },
  { folder: 'adapters', kind: 'ExecutorAdapter', depth: 1 },
  { folder: 'funnels', kind: 'Funnel', depth: 1 },
  { folder: 'roles', kind: 'RoleRegistry', depth: 1 },
  { folder: 'contracts', kind: 'Contract', depth: 1 },
  { folder: 'providers', kind: 'ModelProvider', depth: 1 },
  { folder: 'evals', kind: 'EvalSet', depth: 0 },
];

/**
 * Looked for in this order; a second one is an error, because one of the two would be silently
 * dead.
 */
export const WORKSPACE_FILES = ['workspace.yaml', 'workspace.yml', 'workspace.json'] as const;

/** Suffixes of artifacts. JSON counts: the interface calls an artifact a YAML or JSON file. */
const ARTIFACT_SUFFIX = /\.(ya?ml|json)$/;

export const isArtifactName = (name: string): boolean => !name.startsWith('.') && ARTIFACT_SUFFIX.test(name);

/**
 * Property files of interpolation (docs/design/workspace.md#interpolation). `kitEnv` null or empty
 * = the plain one.
 */
export function propertyFileNames(kitEnv: string | null): readonly string[] {
  return kitEnv === null || kitEnv === ''
    ? ['workspace.env.yaml']
    : [`workspace.env.${kitEnv}.yaml`, 'workspace.env.yaml'];
}
