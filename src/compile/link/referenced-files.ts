import type { JsonObject } from '../../domain/json.js';
import { parseSource } from '../parse/parse-source.js';
import { objectAt, objectIn, objectsAt, textAt } from '../read.js';
import { funnelFileCandidates } from './funnel-files.js';
import { type ReferencedFile, referencedPath } from './output-schema.js';
import type { Art } from './registries.js';

function agentReferences(agent: JsonObject | null): readonly string[] {
  const own = textAt(agent, 'output_schema');
  return [...(own === null ? [] : [own]), ...objectsAt(agent, 'children').flatMap(agentReferences)];
}

const beside = (artifact: Art, references: readonly (string | null)[]): readonly string[] =>
  references.flatMap((reference) => {
    const path = reference === null ? null : referencedPath(artifact.path, reference);
    return path === null ? [] : [path];
  });

function pathsOf(artifact: Art): readonly string[] {
  switch (artifact.kind) {
    case 'Topology':
      return beside(artifact, [
        textAt(artifact.value, 'output_schema'),
        ...agentReferences(objectIn(artifact.value, 'agents', 'root')),
      ]);
    case 'Archetype':
      return beside(artifact, [textAt(objectAt(artifact.value, 'defaults'), 'output_schema')]);
    case 'Funnel':
      return (['validate', 'judge'] as const).flatMap((layer) => {
        const reference = textAt(objectAt(artifact.value, layer), layer === 'validate' ? 'schema' : 'rubric');
        return reference === null ? [] : funnelFileCandidates(artifact.path, layer, reference);
      });
    default:
      return [];
  }
}

/**
 * Workspace-relative paths of every file that some artifact names; the caller reads them, symlinks
 * resolved first.
 */
export const referencedPaths = (artifacts: readonly Art[]): readonly string[] =>
  [...new Set(artifacts.flatMap(pathsOf))].toSorted();

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
