import { join, resolve } from 'node:path';
import { isArtifactName, KIND_FOLDERS, propertyFileNames, WORKSPACE_FILES } from '../compile/discover/layout.js';
import { folderMeantBy, mayBeMisnamed, mayBeMisplaced } from '../compile/discover/mistyped.js';
import { REMOVED_FOLDERS } from '../compile/discover/removed.js';
import type { ReadFile } from '../compile/link/referenced-files.js';
import type { SourceFile } from '../domain/diagnostic.js';
import { KitError, messageOf } from '../domain/errors.js';
import type { Files } from '../domain/ports/system.js';
import { isInside } from '../lib/is-inside.js';
import { withPending } from './editing/pending-edit.js';

/** Deeper than any legal artifact, so that misplaced ones are found and a loop of links ends. */
const MAX_DEPTH = 6;

/** A workspace directory whose files are read; what leads out of it is not. */
export interface WorkspaceFiles {
  readonly files: Files;
  /** Real path of the workspace. */
  readonly root: string;
}

/** What is there and cannot be read would silently not count: it makes the workspace invalid. */
async function orInvalid<T>(path: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw new KitError('KIT_WORKSPACE_INVALID', `${path} cannot be read: ${messageOf(cause)}`, {
      cause,
      hint: 'Give yourself the right to read it, or move it out of the workspace.',
    });
  }
}

/** A file below the root of a workspace. */
interface Found {
  readonly path: string;
  /** Neither it nor a directory on the way to it is a link. */
  readonly isReal: boolean;
}

async function readSource(place: WorkspaceFiles, { path, isReal }: Found): Promise<SourceFile | null> {
  const full = join(place.root, path);
  if (!isReal) {
    const real = await orInvalid(path, place.files.realPath(full));
    // A link that leads out of the workspace is not followed: the file counts as absent.
    if (real === null || !isInside(place.root, real)) return null;
  }
  const text = await orInvalid(path, place.files.readText(full));
  return text === null ? null : { path, text };
}

async function filesBelow(
  place: WorkspaceFiles,
  folder: Found,
  { depth, isNamed }: { readonly depth: number; readonly isNamed: (name: string) => boolean },
): Promise<readonly Found[]> {
  if (depth > MAX_DEPTH) return [];
  const entries = (await orInvalid(folder.path, place.files.list(join(place.root, folder.path)))) ?? [];
  const found = await Promise.all(
    entries.map((entry) => {
      const below = { path: `${folder.path}/${entry.name}`, isReal: folder.isReal && entry.isReal === true };
      if (entry.name.startsWith('.')) return [];
      if (entry.kind === 'directory') return filesBelow(place, below, { depth: depth + 1, isNamed });
      return entry.kind === 'file' && isNamed(entry.name) ? [below] : [];
    }),
  );
  return found.flat();
}

/** Misnamed ones are read to be told of. */
const mayBeArtifact = (name: string): boolean => isArtifactName(name) || mayBeMisnamed(name);

/** The workspace file and every artifact file that is wanted, in no promised order. */
export async function readSources(
  place: WorkspaceFiles,
  isWanted: (path: string) => boolean,
): Promise<readonly SourceFile[]> {
  const entries = (await orInvalid('.', place.files.list(place.root))) ?? [];
  const mistyped = entries.filter(({ name, kind }) => kind === 'directory' && folderMeantBy(name) !== null);
  const folders = [
    ...KIND_FOLDERS.map((entry) => entry.folder),
    ...REMOVED_FOLDERS,
    ...mistyped.map(({ name }) => name),
  ];
  const isReal = (folder: string): boolean => entries.some((entry) => entry.name === folder && entry.isReal === true);
  const listed = await Promise.all(
    folders.map((folder) =>
      filesBelow(place, { path: folder, isReal: isReal(folder) }, { depth: 0, isNamed: mayBeArtifact }),
    ),
  );
  const own = WORKSPACE_FILES.map((path) => ({ path, isReal: false }));
  const beside = entries.filter(({ name, kind }) => kind === 'file' && mayBeMisplaced(name) && isWanted(name));
  const sources = await Promise.all([
    ...[...own, ...listed.flat().filter(({ path }) => isWanted(path))].map((file) => readSource(place, file)),
    // It is the user's own: one that cannot be read is left alone.
    ...beside.map(({ name }) => readSource(place, { path: name, isReal: false }).catch(() => null)),
  ]);
  return sources.filter((source) => source !== null);
}

/** The one property file that holds (docs/design/workspace.md#interpolation); null = none. */
export async function readPropertyFile(place: WorkspaceFiles, kitEnv: string | null): Promise<SourceFile | null> {
  for (const name of propertyFileNames(kitEnv)) {
    const found = await readSource(place, { path: name, isReal: false });
    if (found !== null) return found;
  }
  return null;
}

/** A file that an artifact names. */
export async function readWanted(place: WorkspaceFiles, path: string): Promise<ReadFile> {
  const full = join(place.root, path);
  const real = await orInvalid(path, place.files.realPath(full));
  if (real !== null && !isInside(place.root, real)) return { path, text: null, outside: true };
  return { path, text: real === null ? null : await orInvalid(path, place.files.readText(full)), outside: false };
}

/** Artifact files of one kind folder. */
export async function readFolder(place: WorkspaceFiles, folder: string): Promise<readonly SourceFile[]> {
  const found = await filesBelow(place, { path: folder, isReal: false }, { depth: 0, isNamed: isArtifactName });
  const sources = await Promise.all(found.map((file) => readSource(place, file)));
  return sources.filter((source) => source !== null);
}

/**
 * The files as the last change made them, also where the process that made it died on the way.
 * Throws KIT_WORKSPACE_NOT_FOUND for a path without a workspace.
 */
export async function openWorkspaceFiles(directory: string, files: Files): Promise<WorkspaceFiles> {
  const root = await files.realPath(resolve(directory));
  const entries = root === null ? null : await orInvalid(directory, files.list(root));
  if (root === null || entries === null)
    throw new KitError('KIT_WORKSPACE_NOT_FOUND', `${directory} is not a directory`);
  if (!entries.some((entry) => entry.kind === 'file' && WORKSPACE_FILES.some((name) => name === entry.name))) {
    throw new KitError('KIT_WORKSPACE_NOT_FOUND', `${directory} holds no workspace.yaml`);
  }
  return { files: await withPending(files, root), root };
}
