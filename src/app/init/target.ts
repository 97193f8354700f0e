import { basename, dirname, join, resolve } from 'node:path';
import { WORKSPACE_FILES } from '../../compile/discover/layout.js';
import { KitError } from '../../domain/errors.js';
import type { Files } from '../../domain/ports/system.js';
import type { TemplateFile } from '../templates.js';

type Deps = { readonly files: Files };

/** Explains the template and does nothing: in a project of its own README it is left out. */
const OPTIONAL = ['README.md'];

/** Names that are taken: also by a link that leads nowhere. */
export async function presentIn(deps: Deps, directory: string, names: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      if ((await deps.files.realPath(path)) !== null) return true;
      return ((await deps.files.list(dirname(path))) ?? []).some((entry) => entry.name === basename(path));
    }),
  );
  return names.filter((_name, index) => found[index]);
}

/** Every folder that files of a template lie in, the outer ones first. */
const foldersOf = (files: readonly Pick<TemplateFile, 'path'>[]): readonly string[] => [
  ...new Set(
    files.flatMap(({ path }) => {
      const parts = path.split('/').slice(0, -1);
      return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    }),
  ),
];

/**
 * Throws KIT_USAGE where a folder of the template is a link: its files would come to lie in another
 * place than the one that was named.
 */
export async function assertNoLinks(
  deps: Deps,
  directory: string,
  files: readonly Pick<TemplateFile, 'path'>[],
): Promise<void> {
  for (const folder of foldersOf(files)) {
    const path = join(directory, folder);
    const real = await deps.files.realPath(path);
    if (real === null || real === path) continue;
    throw new KitError('KIT_USAGE', `${folder} in ${directory} is a link to ${real}`, {
      hint: 'Choose another directory, or remove the link: kit writes into the directory that was named alone. Nothing was written.',
    });
  }
}

const inTheWay = (directory: string, conflicts: readonly string[]): KitError =>
  new KitError('KIT_USAGE', `${directory} already holds ${conflicts.join(', ')}`, {
    hint: 'Choose another directory, or move the files away: kit never overwrites. Nothing was written.',
    data: { conflicts },
  });

/**
 * Names of files that are left out because the project has its own. Throws KIT_USAGE where any
 * other file, another workspace file or a link is in the way; all conflicts are named. `optional`:
 * names that may be there.
 */
export async function assertFree(
  directory: string,
  files: readonly Pick<TemplateFile, 'path'>[],
  deps: Deps,
  optional: readonly string[] = OPTIONAL,
): Promise<readonly string[]> {
  const names = [...new Set([...WORKSPACE_FILES, ...files.map(({ path }) => path)])];
  const present = await presentIn(deps, directory, names);
  const conflicts = present.filter((path) => !optional.includes(path));
  if (conflicts.length > 0) throw inTheWay(directory, conflicts);
  await assertNoLinks(deps, directory, files);
  return present.filter((path) => optional.includes(path));
}

/**
 * The directory that a new workspace goes to, links resolved. Throws KIT_USAGE for a file in its
 * place.
 */
export async function targetDirectory(asked: string, deps: Deps): Promise<string> {
  const absolute = resolve(asked);
  // A link is said by where it leads, before anything is written.
  const directory = (await deps.files.realPath(absolute)) ?? absolute;
  if ((await deps.files.realPath(directory)) !== null && (await deps.files.list(directory)) === null) {
    throw new KitError('KIT_USAGE', `${directory} is a file`, {
      hint: 'Name a directory; it is made when it does not exist.',
    });
  }
  return directory;
}
