import type { Agent, OutputSchema } from '../../domain/generated/artifacts.js';
import { parseSource } from '../parse/parse-source.js';
import { funnelFileCandidates } from './funnel-files.js';
import { type ReferencedFile, referencedPath } from './output-schema.js';
import { type Art, type Checked, ofKind } from './registries.js';

const agentSchemas = ({ output_schema: own, children = [] }: Agent): readonly (OutputSchema | undefined)[] => [
  own,
  ...children.flatMap(agentSchemas),
];

const beside = (artifact: Art, schemas: readonly (OutputSchema | undefined)[]): readonly string[] =>
  schemas.flatMap((schema) => (typeof schema === 'string' ? (referencedPath(artifact.path, schema) ?? []) : []));

const besideFunnel = ({ path, value }: Checked<'Funnel'>): readonly string[] => [
  ...(value.validate?.schema === undefined ? [] : funnelFileCandidates(path, 'validate', value.validate.schema)),
  ...(value.judge?.rubric === undefined ? [] : funnelFileCandidates(path, 'judge', value.judge.rubric)),
];

/**
 * Workspace-relative paths of every file that some artifact names; the caller reads them, symlinks
 * resolved first.
 */
export function referencedPaths(artifacts: readonly Art[]): readonly string[] {
  const paths = [
    ...ofKind(artifacts, 'Topology').flatMap((topology) =>
      beside(topology, [topology.value.output_schema, ...agentSchemas(topology.value.agents.root)]),
    ),
    ...ofKind(artifacts, 'Archetype').flatMap((archetype) =>
      beside(archetype, [archetype.value.defaults.output_schema]),
    ),
    ...ofKind(artifacts, 'Funnel').flatMap(besideFunnel),
  ];
  return [...new Set(paths)].toSorted();
}

/**
 * What the caller found at a path. `text` null = no such file; `outside` = it lies outside the
 * workspace.
 */
export interface ReadFile {
  readonly path: string;
  readonly text: string | null;
  readonly outside: boolean;
}

const DATA = /\.(json|ya?ml)$/;

/** Parses what was read: a schema file has a tree, a rubric is text. */
export function referencedFile(read: ReadFile): ReferencedFile {
  if (read.outside) return { state: 'outside' };
  if (read.text === null) return { state: 'missing' };
  if (!DATA.test(read.path))
    return { state: 'ok', text: read.text, tree: undefined, problem: 'it is no .json, .yaml or .yml file' };
  const { parsed, diagnostics } = parseSource({ path: read.path, text: read.text });
  return {
    state: 'ok',
    text: read.text,
    tree: parsed?.value,
    problem: parsed === null ? (diagnostics[0]?.message ?? 'it cannot be parsed') : null,
  };
}
