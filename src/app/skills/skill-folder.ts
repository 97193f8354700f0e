import { join } from 'node:path';
import type { Files } from '../../domain/ports/system.js';
import { isBelow } from '../../lib/is-inside.js';

/** A text file that lies beside a SKILL.md. */
export interface SkillDocument {
  /** Relative to the folder, `/` between its parts. */
  readonly path: string;
  readonly text: string;
}

/** What lies beside a SKILL.md. */
export interface SkillFolder {
  readonly documents: readonly SkillDocument[];
  /** What is not taken over, a sentence each. */
  readonly leftOut: readonly string[];
}

const TEXT = /\.(md|markdown|txt|rst|adoc|csv|json|ya?ml|html?)$/i;
const SCRIPT = /\.(sh|bash|zsh|fish|py|js|mjs|cjs|ts|rb|pl|php|ps1|bat|cmd|exe|go|rs|lua|r|jl)$/i;
const MAX_FILES = 200;
const MAX_DEPTH = 5;
const MAX_BYTES = 1024 * 1024;

interface Walk {
  readonly files: Files;
  /** Real path of the folder. */
  readonly folder: string;
  readonly paths: string[];
  readonly leftOut: string[];
}

/** Links to folders are not followed: they may lead anywhere, and round in a circle. */
async function walk(to: Walk, at: string, depth: number): Promise<void> {
  const { files, folder, paths, leftOut } = to;
  for (const { name, kind } of (await files.list(join(folder, at))) ?? []) {
    if (name.startsWith('.')) continue;
    if (paths.length + leftOut.length > MAX_FILES) return;
    const path = at === '' ? name : `${at}/${name}`;
    if (kind === 'file') paths.push(path);
    else if (kind === 'other') leftOut.push(`${path}: no file`);
    else if ((await files.realPath(join(folder, path))) !== join(folder, path))
      leftOut.push(`${path}: a link to a folder`);
    else if (depth === MAX_DEPTH) leftOut.push(`${path}: a folder that lies too deep`);
    else await walk(to, path, depth + 1);
  }
}

/** A document, or why the file is none. */
async function look(files: Files, folder: string, path: string): Promise<SkillDocument | string> {
  if (path.startsWith('scripts/') || SCRIPT.test(path)) return `${path}: a script, which kit does not run`;
  if (!TEXT.test(path)) return `${path}: no text that can be searched`;
  const real = await files.realPath(join(folder, path));
  if (real === null || !isBelow(folder, real)) return `${path}: it leads out of the folder`;
  if (((await files.sizeBytes?.(real)) ?? 0) > MAX_BYTES) return `${path}: larger than ${MAX_BYTES} bytes`;
  const bytes = await files.readBytes(real);
  if (bytes === null) return `${path}: it cannot be read`;
  if (bytes.length > MAX_BYTES) return `${path}: larger than ${MAX_BYTES} bytes`;
  const text = new TextDecoder('utf-8').decode(bytes);
  return Buffer.from(text).equals(bytes) && !text.includes('\0') ? { path, text } : `${path}: no UTF-8 text`;
}

/** Reads what lies beside a SKILL.md; `folder` is a real path. Scripts are named and never run. */
export async function readSkillFolder(files: Files, folder: string): Promise<SkillFolder> {
  const found: Walk = { files, folder, paths: [], leftOut: [] };
  await walk(found, '', 0);
  const paths = found.paths.filter((path) => path.toLowerCase() !== 'skill.md');
  const looked = await Promise.all(paths.slice(0, MAX_FILES).map((path) => look(files, folder, path)));
  return {
    documents: looked.filter((one) => typeof one !== 'string'),
    leftOut: [
      ...looked.filter((one) => typeof one === 'string'),
      ...found.leftOut,
      ...(found.paths.length + found.leftOut.length > MAX_FILES ? [`more than ${MAX_FILES} files: the rest`] : []),
    ],
  };
}
