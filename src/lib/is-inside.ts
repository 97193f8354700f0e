import { isAbsolute, relative, sep } from 'node:path';

/**
 * Whether a path lies in a folder, at any depth, or is it. Both absolute, or both relative to one
 * place; links are the caller's to resolve.
 */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Like `isInside`, but the folder itself is not below itself. */
export const isBelow = (folder: string, path: string): boolean =>
  isInside(folder, path) && relative(folder, path) !== '';
