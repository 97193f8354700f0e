import { glob, readFile } from 'node:fs/promises';
import { root } from './schemas.mjs';

/**
 * The skill catalogue of kit as one file, path to text: dozens of small ones would take ten times
 * the room on a disk.
 */
export async function catalogueText() {
  const folder = new URL('catalogue/', root);
  const paths = (await Array.fromAsync(glob('skills/**/*.yaml', { cwd: folder }))).sort();
  const texts = await Promise.all(paths.map((path) => readFile(new URL(path, folder), 'utf8')));
  return `${JSON.stringify(Object.fromEntries(paths.map((path, at) => [path, texts[at]])))}\n`;
}
