import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/** How a file looked when its bytes were read: where one differs they are read again. */
export type Looks = readonly [size: number, inode: number, mtimeMs: number, ctimeMs: number];

/** A file of a tree, before its bytes are read. */
export interface TreeFile {
  /** Below the root of the tree, with `/`. */
  readonly path: string;
  /** Where it lies; for a link, the link itself. */
  readonly file: string;
  readonly isLink: boolean;
  readonly looks: Looks;
}

const looksOf = ({ size, ino, mtimeMs, ctimeMs }: Stats): Looks => [size, ino, mtimeMs, ctimeMs];

const isInside = (root: string, path: string): boolean => {
  const below = relative(root, path);
  return !below.startsWith('..') && !isAbsolute(below);
};

/** Where a link leads to, when that is outside of the tree; null = inside, or nowhere. */
function outsideOf(root: string, link: string): string | null {
  try {
    const real = realpathSync(link);
    return isInside(root, real) ? null : real;
  } catch {
    return null;
  }
}

type Visit = (path: string, file: string, stats: Stats) => void;

/**
 * Visits every file below `folder`, whatever its folder is called, in no order; none when there is
 * no such folder. What a link leads to outside of it is part of the tree: it can be loaded as well.
 * Synchronous: thousands of promises take longer than the file system.
 */
function walkTree(folder: string, visit: Visit): void {
  if (!existsSync(folder)) return;
  const root = realpathSync(folder);
  const followed = new Set<string>();
  const look = (path: string, file: string): void => {
    const stats = lstatSync(file);
    if (stats.isDirectory()) {
      walk(path, file);
      return;
    }
    visit(path, file, stats);
    const outside = stats.isSymbolicLink() ? outsideOf(root, file) : null;
    if (outside === null || followed.has(outside)) return;
    followed.add(outside);
    if (statSync(outside).isDirectory()) walk(`${path}/->`, outside);
    else look(`${path}/->`, outside);
  };
  const walk = (path: string, at: string): void => {
    for (const name of readdirSync(at)) look(path === '' ? name : `${path}/${name}`, `${at}${sep}${name}`);
  };
  walk('', root);
}

/** Every file below `folder`, in no order. */
export function treeFiles(folder: string): readonly TreeFile[] {
  const found: TreeFile[] = [];
  walkTree(folder, (path, file, stats) =>
    found.push({ path, file, isLink: stats.isSymbolicLink(), looks: looksOf(stats) }),
  );
  return found;
}

const FIRST_FILES = 8_192;

/**
 * One digest (SHA-256, base64) over the paths and looks of all files: the same one again means that
 * no file looks different. Where folders list their names in another order it differs as well.
 * Numbers stay numbers: of thousands of files their texts would cost more than the file system.
 */
export function treeLooks(folder: string): string {
  let numbers = new Float64Array(FIRST_FILES * 4);
  const paths: string[] = [];
  walkTree(folder, (path, _file, stats) => {
    const at = paths.push(path) * 4 - 4;
    if (at === numbers.length) {
      const wider = new Float64Array(numbers.length * 2);
      wider.set(numbers);
      numbers = wider;
    }
    numbers[at] = stats.size;
    numbers[at + 1] = stats.ino;
    numbers[at + 2] = stats.mtimeMs;
    numbers[at + 3] = stats.ctimeMs;
  });
  return createHash('sha256')
    .update(paths.join('\0'))
    .update(numbers.subarray(0, paths.length * 4))
    .digest('base64');
}

/** SHA-256 (base64) of a file; of a link, where it leads. */
export function digestOf({ file, isLink }: Pick<TreeFile, 'file' | 'isLink'>): string {
  const content = isLink ? `link:${readlinkSync(file)}` : readFileSync(file);
  return createHash('sha256').update(content).digest('base64');
}
