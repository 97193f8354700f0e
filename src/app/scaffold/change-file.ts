import { WORKSPACE_FILES } from '../../compile/discover/layout.js';
import { editDocument } from '../../compile/edit/edit-document.js';
import { parseSource } from '../../compile/parse/parse-source.js';
import { KitError } from '../../domain/errors.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';
import { hintFor } from '../../lib/nearest.js';
import { findFile, readArtifactFiles } from '../editing/artifact-files.js';
import { readCurrent } from '../editing/current-file.js';
import { editPlace } from '../editing/edit-place.js';
import type { WorkspaceFiles } from '../workspace-files.js';
import type { EditedFile, FileChange } from './part-request.js';

async function pathOf(place: WorkspaceFiles, where: FileChange['in']): Promise<string> {
  if (where.file === 'workspace') {
    for (const path of WORKSPACE_FILES) if ((await place.files.realPath(`${place.root}/${path}`)) !== null) return path;
    throw new KitError('KIT_WORKSPACE_NOT_FOUND', 'the directory holds no workspace.yaml');
  }
  const files = await readArtifactFiles(place, 'topologies');
  const found = findFile(files, where.topology);
  if (found !== undefined) return found.path;
  const known = files.map(({ name }) => name);
  throw new KitError('KIT_USAGE', `there is no topology \`${where.topology}\``, {
    hint: hintFor(where.topology, known, {
      fallback:
        known.length === 0
          ? 'Make it first: `kit new topology NAME`.'
          : `There are: ${[...new Set(known)].join(', ')}.`,
    }),
  });
}

const at = (value: JsonObject, keys: readonly string[]): Json | undefined =>
  keys.reduce<Json | undefined>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);

/** The value with another one where the keys lead to; mappings on the way are made. */
function withValue(value: JsonObject, [key = '', ...rest]: readonly string[], wanted: Json): JsonObject {
  const inner = value[key];
  return { ...value, [key]: rest.length === 0 ? wanted : withValue(isObject(inner) ? inner : {}, rest, wanted) };
}

/** Throws KIT_USAGE for an entry of that id, and for another value that stands there. */
function changed(path: string, value: JsonObject, change: FileChange): JsonObject {
  const { keys } = change;
  const there = at(value, keys);
  const taken = (what: string): KitError =>
    new KitError('KIT_USAGE', `${path} ${what}`, { hint: 'Choose another id, or edit the file. Nothing was written.' });
  if (change.do === 'set') {
    if (there === undefined || there === null || there === change.value) return withValue(value, keys, change.value);
    throw taken(`says ${keys.join('.')}: ${JSON.stringify(there)} already`);
  }
  const items = Array.isArray(there) ? there : [];
  if (items.some((item) => isObject(item) && item.id === change.entry.id))
    throw taken(`names \`${change.entry.id}\` below ${keys.join('.')} already`);
  return withValue(value, keys, [...items, change.entry]);
}

/**
 * A file with a change in it; every other character stays as it is. Throws KIT_USAGE: no such
 * topology, something in its place, a file that cannot be changed that way.
 */
export async function changeFile(place: WorkspaceFiles, change: FileChange): Promise<EditedFile> {
  const { path, asked, real } = await editPlace(
    place,
    change.in.file === 'workspace' ? '' : 'topologies',
    await pathOf(place, change.in),
  );
  const current = await readCurrent(place.files, asked);
  const value = current === null ? undefined : parseSource({ path, text: current.text }).parsed?.value;
  if (current === null || value === undefined)
    throw new KitError('KIT_USAGE', `${path} cannot be read`, { hint: 'Run `kit validate` and correct it first.' });
  const text = editDocument({ path, text: current.text }, changed(path, value, change));
  if (text === null)
    throw new KitError('KIT_USAGE', `${path} cannot be changed without rewriting it`, {
      hint: `Write this at \`${change.keys.join('.')}\` by hand: ${JSON.stringify(change.do === 'set' ? change.value : change.entry)}`,
    });
  return { path, real, text, before: current.etag };
}
