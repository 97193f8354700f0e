import { WORKSPACE_FILES } from '../../compile/discover/layout.js';
import { isObject } from '../../compile/document.js';
import { editDocument } from '../../compile/edit/edit-document.js';
import { parseSource } from '../../compile/parse/parse-source.js';
import { KitError } from '../../domain/errors.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { hintFor } from '../../lib/nearest.js';
import { findFile, readArtifactFiles } from '../editing/artifact-files.js';
import { readCurrent } from '../editing/current-file.js';
import { editPlace } from '../editing/edit-place.js';
import type { WorkspaceFiles } from '../workspace-files.js';
import type { EditedFile, NewEntry } from './part-request.js';

async function pathOf(place: WorkspaceFiles, where: NewEntry['in']): Promise<string> {
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

const itemsOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** The value with one more item in the list that the keys lead to. */
function withItem(value: JsonObject, keys: readonly string[], item: JsonObject): JsonObject {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (rest.length === 0) return { ...value, [key]: [...itemsOf(value[key]), item] };
  const inner = value[key];
  return { ...value, [key]: withItem(isObject(inner) ? inner : {}, rest, item) };
}

const listAt = (value: JsonObject, keys: readonly string[]): readonly Json[] =>
  itemsOf(keys.reduce<Json | undefined>((at, key) => (at !== undefined && isObject(at) ? at[key] : undefined), value));

/**
 * A file with one more entry; every other character stays as it is. Throws KIT_USAGE: no such
 * topology, an entry of that id, a file that cannot be changed that way.
 */
export async function editEntry(place: WorkspaceFiles, { in: where, list, entry }: NewEntry): Promise<EditedFile> {
  const { path, asked, real } = await editPlace(
    place,
    where.file === 'workspace' ? '' : 'topologies',
    await pathOf(place, where),
  );
  const current = await readCurrent(place.files, asked);
  const value = current === null ? undefined : parseSource({ path, text: current.text }).parsed?.value;
  if (current === null || value === undefined)
    throw new KitError('KIT_USAGE', `${path} cannot be read`, { hint: 'Run `kit validate` and correct it first.' });
  const isTaken = listAt(value, list).some((item) => isObject(item) && item.id === entry.id);
  if (isTaken)
    throw new KitError('KIT_USAGE', `${path} names \`${entry.id}\` below ${list.join('.')} already`, {
      hint: 'Choose another id, or edit the entry. Nothing was written.',
    });
  const text = editDocument({ path, text: current.text }, withItem(value, list, entry));
  if (text === null)
    throw new KitError('KIT_USAGE', `${path} cannot be changed without rewriting it`, {
      hint: `Add this below \`${list.join('.')}\` by hand: ${JSON.stringify(entry)}`,
    });
  return { path, real, text, before: current.etag };
}
