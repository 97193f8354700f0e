import { KitError } from '../../domain/errors.js';
import { openWorkspaceFiles, type WorkspaceFiles } from '../workspace-files.js';
import {
  type ArtifactFile,
  assertFree,
  assertId,
  findFile,
  idOf,
  type Named,
  namedBy,
  readArtifactFiles,
} from './artifact-files.js';
import { candidateText, readCandidate } from './candidate.js';
import { type CommitDeps, commitRemoval, commitText, type Target } from './commit.js';
import { readCurrent } from './current-file.js';
import { editPlace } from './edit-place.js';
import type { ArtifactAsk, EditableKind, Edited, EditingApp, EditProblem } from './editing-app.js';
import { assertPreconditions } from './preconditions.js';
import { invalidEdit, refusedEdit, unknownArtifact } from './refusals.js';

const idText = ({ name, version }: Named): string => (version === null ? name : `${name}@${version}`);
const singular = (kind: EditableKind): string => (kind === 'topologies' ? 'topology' : kind.replace(/s$/, ''));

/**
 * Where a new file goes: `<id>.yaml`, with the version in its name when another version has that
 * place.
 */
function newPath(kind: EditableKind, named: Named, files: readonly ArtifactFile[]): string {
  const isTaken = files.some(({ path, name }) => path === `${kind}/${named.name}.yaml` && name === named.name);
  return `${kind}/${isTaken ? idText(named) : named.name}.yaml`;
}

async function targetAt(workspace: WorkspaceFiles, kind: EditableKind, path: string): Promise<Target> {
  const place = await editPlace(workspace, kind, path);
  return { workspace, place, before: await readCurrent(workspace.files, place.asked) };
}

/** A new file never replaces one that says something else. Throws KIT_EDIT_EXISTS. */
async function newTarget(workspace: WorkspaceFiles, kind: EditableKind, path: string): Promise<Target> {
  const target = await targetAt(workspace, kind, path);
  if (target.before === null) return target;
  throw new KitError('KIT_EDIT_EXISTS', `the file ${path} is there already and holds something else`, {
    hint: 'Move that file, or choose another id.',
  });
}

const unnamed = (kind: EditableKind, path: string): EditProblem => ({
  code: 'missing.name',
  message: `the ${singular(kind)} has no \`metadata.${kind === 'topologies' ? 'name' : 'id'}\``,
  path,
  pointer: '/metadata',
  line: null,
});

type Read = { readonly named: Named } | { readonly errors: readonly EditProblem[] };

function readName(kind: EditableKind, path: string, text: string): Read {
  const { value, errors } = readCandidate(path, text);
  if (value === null) return { errors };
  const named = namedBy(kind, value);
  return named === null ? { errors: [unnamed(kind, path)] } : { named };
}

/** A change that cannot even be read: an answer when it was only tried. Throws KIT_EDIT_INVALID. */
function unreadable(id: string, errors: readonly EditProblem[], dryRun: boolean): Edited {
  if (!dryRun) throw invalidEdit(errors);
  return { id, etag: null, report: { valid: false, errors } };
}

export async function createArtifact(
  { workspace: directory, kind, change, dryRun }: Parameters<EditingApp['create']>[0],
  deps: CommitDeps,
): Promise<Edited> {
  const workspace = await openWorkspaceFiles(directory, deps.compile.files);
  const files = await readArtifactFiles(workspace, kind);
  const text = candidateText(change, `${kind}/new.yaml`, null);
  const read = readName(kind, `${kind}/new.yaml`, text);
  if ('errors' in read) return unreadable('', read.errors, dryRun);
  const id = idText(read.named);
  assertId(kind, id);
  assertFree(kind, id);
  const same = findFile(files, id);
  if (same !== undefined)
    throw new KitError('KIT_EDIT_EXISTS', `${singular(kind)} \`${id}\` is there already, in ${same.path}`);
  const target = await newTarget(workspace, kind, newPath(kind, read.named, files));
  return { id, ...(await commitText(target, { text, dryRun }, deps)) };
}

/**
 * The id of the path and that of the file are one; a bare name leaves the version to the file.
 * Throws KIT_EDIT_INVALID.
 */
function assertSameId(kind: EditableKind, id: string, named: Named, path: string): void {
  const [name, version] = id.split('@');
  if (named.name === name && (version === undefined || version === named.version)) return;
  const pointer = named.name === name ? '/metadata/version' : kind === 'topologies' ? '/metadata/name' : '/metadata/id';
  const message = `the path says \`${id}\`, the ${singular(kind)} calls itself \`${version === undefined ? named.name : idText(named)}\``;
  throw refusedEdit(
    { code: 'edit.id-mismatch', message, path, pointer, line: null },
    'Send it to its own path, or correct its id.',
  );
}

export async function changeArtifact(ask: Parameters<EditingApp['change']>[0], deps: CommitDeps): Promise<Edited> {
  const { kind, id, change, dryRun } = ask;
  assertId(kind, id);
  const workspace = await openWorkspaceFiles(ask.workspace, deps.compile.files);
  const files = await readArtifactFiles(workspace, kind);
  const old = findFile(files, id);
  if (old === undefined) assertFree(kind, id);
  const what = `${singular(kind)} \`${id}\``;
  const known = old === undefined ? null : await targetAt(workspace, kind, old.path);
  assertPreconditions(ask, known?.before?.etag ?? null, what);
  const path = old?.path ?? `${kind}/${id}.yaml`;
  const text = candidateText(change, path, known?.before ?? null);
  const read = readName(kind, path, text);
  if ('errors' in read) return unreadable(id, read.errors, dryRun);
  assertSameId(kind, id, read.named, path);
  const target = known ?? (await newTarget(workspace, kind, newPath(kind, read.named, files)));
  return { id, ...(await commitText(target, { text, dryRun }, deps)) };
}

export async function removeArtifact(
  ask: Parameters<EditingApp['remove']>[0],
  deps: CommitDeps,
): Promise<{ readonly id: string; readonly reloaded: boolean }> {
  const { workspace, files, old } = await openArtifact(ask, deps);
  const target = await targetAt(workspace, ask.kind, old.path);
  const what = `${singular(ask.kind)} \`${ask.id}\``;
  assertPreconditions(ask, target.before?.etag ?? null, what);
  const id = ask.id.includes('@') ? ask.id : idOf(files, old);
  return { id, ...(await commitRemoval(what, target, deps)) };
}

/** The file of an id among the others of its kind. Throws KIT_EDIT_UNKNOWN. */
export async function openArtifact(
  { workspace: directory, kind, id }: ArtifactAsk,
  deps: Pick<CommitDeps, 'compile'>,
): Promise<{
  readonly workspace: WorkspaceFiles;
  readonly files: readonly ArtifactFile[];
  readonly old: ArtifactFile;
}> {
  assertId(kind, id);
  const workspace = await openWorkspaceFiles(directory, deps.compile.files);
  const files = await readArtifactFiles(workspace, kind);
  const old = findFile(files, id);
  if (old === undefined) {
    const known = files.map((file) => idOf(files, file));
    throw unknownArtifact(`${singular(kind)} \`${id}\``, id, known);
  }
  return { workspace, files, old };
}
