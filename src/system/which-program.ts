import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

const SUFFIXES = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];

/**
 * Where a program lies, as a shell would find it in `path` (the value of PATH); null = nowhere. It
 * is not started.
 */
export async function whichProgram(binary: string, path: string | undefined): Promise<string | null> {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = isAbsolute(binary) ? [binary] : folders.map((folder) => join(folder, binary));
  for (const candidate of places.flatMap((place) => SUFFIXES.map((suffix) => place + suffix))) {
    const isThere = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  return null;
}
