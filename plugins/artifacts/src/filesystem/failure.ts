import { KitError } from '@kit-run/kit/plugin';

/** The system's own word for what went wrong, '' where there is none. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** No file of this name: not every trouble with one, such as a folder that may not be entered. */
export const isAbsent = (error: unknown): boolean => codeOf(error) === 'ENOENT';

const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'Let the user that runs kit read and write it, or correct storage.artifacts.path.',
  EPERM: 'Let the user that runs kit read and write it, or correct storage.artifacts.path.',
  EROFS: 'Name a directory that can be written as storage.artifacts.path.',
  ENOSPC: 'Make room on the disk, then resume the run.',
  EDQUOT: 'Make room on the disk, then resume the run.',
  ENOTDIR: 'Something on the way to it is no directory: correct storage.artifacts.path.',
  EEXIST: 'Something on the way to it is no directory: correct storage.artifacts.path.',
  EISDIR: 'A directory lies where a file belongs: move it away.',
};

/** What people see of a directory that cannot be used. */
export function toFailure(
  error: unknown,
  of: { readonly directory: string; readonly doing: 'read' | 'written' },
): KitError {
  const code = codeOf(error);
  return new KitError(
    'KIT_ARTIFACT_STORE',
    `artifacts in ${of.directory} cannot be ${of.doing}${code === '' ? '' : ` (${code})`}`,
    {
      hint: HINTS[code] ?? 'Look at the directory and its disk, then run the command again.',
      cause: error,
      data: { directory: of.directory },
    },
  );
}
