import { basename, dirname, join } from 'node:path';
import { isBelow, isInside } from '../../lib/is-inside.js';
import type { WorkspaceFiles } from '../workspace-files.js';
import { refusedEdit } from './refusals.js';

/** One file that is, or will be, edited. */
export interface EditPlace {
  /** Workspace-relative, as diagnostics name it. */
  readonly path: string;
  /** Where the loader looks for it: absolute, links not resolved. */
  readonly asked: string;
  /** Where it is written: absolute, links resolved, so that a link stays one. */
  readonly real: string;
}

/**
 * Where a file of the workspace may be written: inside the real directory of its folder (`''` = the
 * workspace itself), which lies inside the workspace. A link that leads elsewhere is refused,
 * whatever it is called. Throws KIT_EDIT_INVALID.
 */
export async function editPlace({ files, root }: WorkspaceFiles, folder: string, path: string): Promise<EditPlace> {
  const asked = join(root, path);
  const kindFolder = join(root, folder);
  const realFolder = (await files.realPath(kindFolder)) ?? kindFolder;
  const parent = dirname(asked);
  const realParent = (await files.realPath(parent)) ?? parent;
  const real = (await files.realPath(asked)) ?? join(realParent, basename(asked));
  const stays = isInside(root, realFolder) && isBelow(realFolder, real) && isBelow(kindFolder, asked);
  if (stays) return { path, asked, real };
  throw refusedEdit(
    {
      code: 'edit.outside',
      message: `${path} leads out of ${folder === '' ? 'the workspace' : `${folder}/`}`,
      path,
      pointer: '',
      line: null,
    },
    'Replace the link by a file, or edit the file that it leads to by hand.',
  );
}
