import { dirname, join, relative, sep } from 'node:path';
import { isInside } from '../../lib/is-inside.js';

const slashes = (path: string): string => path.replaceAll(sep, '/');

/** Directories from one upwards to the root. */
function ancestors(directory: string): readonly string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...ancestors(parent)];
}

/**
 * Path of a schema as an editor resolves it from a file of the workspace. Relative while kit
 * belongs to the same project (it lies in a `node_modules` above the workspace, or the workspace
 * inside kit's own checkout), so that the line holds for everyone who clones it. Null otherwise: no
 * file names a place of one machine (`kit schemas --write` puts the schemas beside the workspace).
 */
export function schemaPath(
  place: { readonly workspace: string; readonly packageRoot: string },
  file: string,
  schema: string,
): string | null {
  const target = join(place.packageRoot, 'schemas', 'kinds', schema);
  const isShared =
    isInside(place.packageRoot, place.workspace) ||
    ancestors(place.workspace).some((above) => isInside(join(above, 'node_modules'), place.packageRoot));
  if (!isShared) return null;
  const way = slashes(relative(dirname(join(place.workspace, file)), target));
  return way.startsWith('.') ? way : `./${way}`;
}
