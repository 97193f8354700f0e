import { KIND_FOLDERS } from '../../compile/discover/layout.js';
import { compareVersions } from '../../compile/link/topology-of.js';
import { parseSource } from '../../compile/parse/parse-source.js';
import { objectAt, textAt } from '../../compile/read.js';
import type { SourceFile } from '../../domain/diagnostic.js';
import type { JsonObject } from '../../domain/json.js';
import { readFolder, type WorkspaceFiles } from '../workspace-files.js';
import type { EditableKind } from './editing-app.js';
import { refusedEdit } from './refusals.js';

/** One file of a kind's folder. */
export interface ArtifactFile {
  /** Id without a version. */
  readonly name: string;
  /** Topologies alone; null when the file names none. */
  readonly version: string | null;
  readonly path: string;
  /** As written; null when it cannot be read as YAML. */
  readonly value: JsonObject | null;
}

/** Id and version that a text gives itself; null when it names none. */
export interface Named {
  readonly name: string;
  readonly version: string | null;
}

/** Ids as the schemas of the kinds allow them. */
const ID = /^[a-z][a-z0-9-]*$/;
const TOPOLOGY_ID = /^[a-z][a-z0-9-]*(?:@\d+\.\d+\.\d+)?$/;

/** Throws KIT_EDIT_INVALID: what is not an id names no file either. */
export function assertId(kind: EditableKind, id: string): void {
  if ((kind === 'topologies' ? TOPOLOGY_ID : ID).test(id)) return;
  const message = `\`${id.slice(0, 80)}\` is not an id of ${kind}: lower-case letters, digits and dashes`;
  throw refusedEdit({ code: 'edit.bad-id', message, path: kind, pointer: '', line: null });
}

/** `/api/skills/check` and the others are paths of their own: nothing can be read or made there. */
export const TAKEN_SKILLS: readonly string[] = ['add', 'check', 'import'];
const TAKEN: Readonly<Partial<Record<EditableKind, readonly string[]>>> = { skills: TAKEN_SKILLS };

/** Of an artifact that is made. Throws KIT_EDIT_INVALID for an id that this API could not show. */
export function assertFree(kind: EditableKind, id: string): void {
  if (TAKEN[kind]?.includes(id) !== true) return;
  const message = `\`/api/${kind}/${id}\` is a path of its own, so nothing can be read there under this id`;
  throw refusedEdit(
    { code: 'edit.taken-id', message, path: kind, pointer: '/metadata/id', line: null },
    'Choose another id.',
  );
}

export function namedBy(kind: EditableKind, value: JsonObject): Named | null {
  const metadata = objectAt(value, 'metadata');
  const name = kind === 'topologies' ? textAt(metadata, 'name') : (textAt(metadata, 'id') ?? textAt(metadata, 'name'));
  return name === null ? null : { name, version: kind === 'topologies' ? textAt(metadata, 'version') : null };
}

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z]+$/, '');

function fileOf(kind: EditableKind, source: SourceFile): ArtifactFile {
  const { parsed } = parseSource(source);
  const named = parsed === null ? null : namedBy(kind, parsed.value);
  // A broken file is found by its own name, so that it can be fixed.
  const [stem = '', version = null] = stemOf(source.path).split('@');
  return {
    path: source.path,
    value: parsed?.value ?? null,
    ...(named ?? { name: stem, version: kind === 'topologies' ? version : null }),
  };
}

/** Every file of a kind, by path. */
export async function readArtifactFiles(place: WorkspaceFiles, kind: EditableKind): Promise<readonly ArtifactFile[]> {
  const depth = KIND_FOLDERS.find(({ folder }) => folder === kind)?.depth ?? 0;
  const sources = await readFolder(place, kind);
  const near = sources.filter(({ path }) => path.split('/').length - 2 <= depth);
  return near.map((source) => fileOf(kind, source)).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

const versionOf = (file: ArtifactFile): string =>
  /^\d+\.\d+\.\d+$/.test(file.version ?? '') ? (file.version ?? '') : '0.0.0';

/** The one that a bare name means: its highest version. */
const highest = (files: readonly ArtifactFile[], name: string): ArtifactFile | undefined =>
  files.filter((file) => file.name === name).toSorted((a, b) => compareVersions(versionOf(b), versionOf(a)))[0];

/** The file of an id; undefined when there is none. */
export function findFile(files: readonly ArtifactFile[], id: string): ArtifactFile | undefined {
  const [name = '', version] = id.split('@');
  return version === undefined
    ? highest(files, name)
    : files.find((file) => file.name === name && file.version === version);
}

/** What names exactly this file. */
export const idOf = (files: readonly ArtifactFile[], file: ArtifactFile): string =>
  file.version === null || highest(files, file.name) === file ? file.name : `${file.name}@${file.version}`;
