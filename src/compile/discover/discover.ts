import type { Kind } from '../../domain/artifact.js';
import type { Diagnostic, SourceFile } from '../../domain/diagnostic.js';
import { isArtifactName, KIND_FOLDERS, type KindFolder, WORKSPACE_FILES } from './layout.js';
import { misnamedFile, misplacedFile, mistypedFolder } from './mistyped.js';
import { REMOVED_FOLDERS, removedFile } from './removed.js';

/** A file and the kind that its place demands. */
export interface DiscoveredFile {
  readonly kind: Kind;
  readonly source: SourceFile;
}

export interface Discovery {
  /** Workspace file first, then folder by folder, by name inside a folder. */
  readonly files: readonly DiscoveredFile[];
  readonly diagnostics: readonly Diagnostic[];
}

const byPath = (a: SourceFile, b: SourceFile): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

/** Segments below the folder, or null when the file lies elsewhere or has a hidden part. */
function segmentsBelow(folder: string, path: string): readonly string[] | null {
  if (!path.startsWith(`${folder}/`)) return null;
  const segments = path.slice(folder.length + 1).split('/');
  return segments.some((segment) => segment.startsWith('.')) ? null : segments;
}

/**
 * Data may lie deep: a deep JSON file is taken for a misplaced artifact only when it names the API
 * version.
 */
const looksLikeArtifact = (source: SourceFile): boolean =>
  !source.path.endsWith('.json') || source.text.includes('"kit/v1"');

const DIALECT = /^https?:\/\/json-schema\.org\//;

/** At the beginning of a line: what lies deeper belongs to something else. */
const YAML_DIALECT = /^["']?\$schema["']?:[ \t]+["']?https?:\/\/json-schema\.org\//m;
const YAML_VERSION = /^["']?apiVersion["']?:/m;

/**
 * A JSON Schema that lies beside the artifacts that name it is none of them: it says whose language
 * it is, and nothing of ours.
 */
function isJsonSchema({ path, text }: SourceFile): boolean {
  if (!text.includes('json-schema.org/')) return false;
  if (!path.endsWith('.json')) return YAML_DIALECT.test(text) && !YAML_VERSION.test(text);
  try {
    const value = JSON.parse(text) as { readonly $schema?: unknown; readonly apiVersion?: unknown } | null;
    return value?.apiVersion === undefined && typeof value?.$schema === 'string' && DIALECT.test(value.$schema);
  } catch {
    return false; // whoever parses it for good says where it is wrong
  }
}

function deepNesting(source: SourceFile, folder: KindFolder): Diagnostic {
  const allowed = folder.depth === 0 ? `directly in ${folder.folder}/` : `in ${folder.folder}/ or one sub-folder of it`;
  return {
    code: 'workspace.deep-nesting',
    severity: 'error',
    message: `the file lies too deep to be found`,
    path: source.path,
    pointer: '',
    help: `put it ${allowed}`,
  };
}

function discoverFolder(folder: KindFolder, sorted: readonly SourceFile[]): Discovery {
  const files: DiscoveredFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const source of sorted) {
    const segments = segmentsBelow(folder.folder, source.path);
    const name = segments?.at(-1);
    if (segments === null || name === undefined || !isArtifactName(name) || isJsonSchema(source)) continue;
    if (segments.length - 1 <= folder.depth) files.push({ kind: folder.kind, source });
    else if (looksLikeArtifact(source)) diagnostics.push(deepNesting(source, folder));
  }
  return { files, diagnostics };
}

function discoverWorkspaceFile(sources: readonly SourceFile[]): Discovery {
  const found = WORKSPACE_FILES.map((name) => sources.find((source) => source.path === name)).filter(
    (source) => source !== undefined,
  );
  const [first, ...others] = found;
  if (first === undefined) {
    const missing: Diagnostic = {
      code: 'workspace.missing-workspace-yaml',
      severity: 'error',
      message: 'the directory holds no workspace.yaml',
      path: '.',
      pointer: '',
      help: 'give the directory that holds workspace.yaml, or run `kit init` to make one',
    };
    return { files: [], diagnostics: [missing] };
  }
  const diagnostics = others.map(
    (source): Diagnostic => ({
      code: 'workspace.discovery-error',
      severity: 'error',
      message: `there are two workspace files: ${first.path} and ${source.path}`,
      path: source.path,
      pointer: '',
      help: 'keep one of them',
    }),
  );
  return { files: [{ kind: 'Workspace', source: first }], diagnostics };
}

const discoverRemoved = (sorted: readonly SourceFile[]): readonly Diagnostic[] =>
  sorted
    .filter(
      (source) => REMOVED_FOLDERS.some((folder) => source.path.startsWith(`${folder}/`)) && isArtifactName(source.path),
    )
    .map(removedFile)
    .filter((diagnostic) => diagnostic !== null);

const discoverMistyped = (sorted: readonly SourceFile[]): readonly Diagnostic[] =>
  sorted.flatMap((source) =>
    isArtifactName(source.path)
      ? (mistypedFolder(source) ?? misplacedFile(source) ?? [])
      : (misnamedFile(source) ?? []),
  );

/**
 * Finds the artifacts in a listing of a workspace (workspace-relative paths with forward slashes).
 * Pure: what to list and to read is the caller's. Same listing in any order, same answer.
 */
export function discover(sources: readonly SourceFile[]): Discovery {
  const sorted = sources.toSorted(byPath);
  const parts = [discoverWorkspaceFile(sorted), ...KIND_FOLDERS.map((folder) => discoverFolder(folder, sorted))];
  return {
    files: parts.flatMap((part) => part.files),
    diagnostics: [
      ...parts.flatMap((part) => part.diagnostics),
      ...discoverRemoved(sorted),
      ...discoverMistyped(sorted),
    ],
  };
}

/** The same for role files alone, as they are read for each decision. */
export function discoverRoles(sources: readonly SourceFile[]): Discovery {
  const folders = KIND_FOLDERS.filter((folder) => folder.kind === 'RoleRegistry').map((folder) =>
    discoverFolder(folder, sources.toSorted(byPath)),
  );
  return { files: folders.flatMap((part) => part.files), diagnostics: folders.flatMap((part) => part.diagnostics) };
}
