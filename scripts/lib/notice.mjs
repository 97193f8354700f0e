// Names and licences of the packages whose code the build folds into files of kit's own: their
// licences ask for it.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of the innermost package that a file belongs to; null = one of kit's own files. */
const packageFolderOf = (file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? null;

async function sectionOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((one) => /^licen[cs]e(-\w+)?(\.\w+)?$/i.test(one));
  if (file === undefined) throw new Error(`${name} ${version} has no licence file, so it cannot be folded in`);
  return `${name} ${version} (${license})\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
}

/** `files`: absolute paths of everything that was folded in. */
export async function noticeOf(files) {
  const folders = new Set(files.map(packageFolderOf).filter((folder) => folder !== null));
  const sections = await Promise.all([...folders].sort().map(sectionOf));
  return [`kit contains code of these packages.\n`, ...sections].join(`\n${'-'.repeat(80)}\n\n`);
}
