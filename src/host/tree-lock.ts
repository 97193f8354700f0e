import { digestOf, type Looks, type TreeFile, treeFiles } from './tree-files.js';

/** What was accepted, by path below the root of the tree. */
export type TreeLock = Readonly<Record<string, readonly [digest: string, ...Looks]>>;

/** Asked of thousands of files at a start: without an array of its own. */
const hasSameLooks = (before: TreeLock[string], { looks }: TreeFile): boolean =>
  before[1] === looks[0] && before[2] === looks[1] && before[3] === looks[2] && before[4] === looks[3];

/** The lock of a tree as it is now. */
export const lockTree = (root: string): TreeLock =>
  Object.fromEntries(treeFiles(root).map((file) => [file.path, [digestOf(file), ...file.looks] as const]));

/**
 * What is not as it was accepted, sorted: paths, each with what happened to it. Bytes are read
 * where a file looks different from what it was.
 */
export function treeChanges(
  root: string,
  lock: TreeLock,
  digest: (file: TreeFile) => string = digestOf,
): readonly { readonly path: string; readonly what: string }[] {
  const files = treeFiles(root);
  const there = new Set(files.map(({ path }) => path));
  const changed = files.flatMap((file) => {
    const before = Object.hasOwn(lock, file.path) ? lock[file.path] : undefined;
    if (before === undefined) return [{ path: file.path, what: 'was added' }];
    return hasSameLooks(before, file) || digest(file) === before[0] ? [] : [{ path: file.path, what: 'was changed' }];
  });
  const gone = Object.keys(lock).filter((path) => !there.has(path));
  return [...changed, ...gone.map((path) => ({ path, what: 'was removed' }))].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}

/** `now`, with what `before` says of some paths: what nobody has accepted stays so. */
export function keepRefused(now: TreeLock, before: TreeLock, refused: readonly string[]): TreeLock {
  const kept = refused.flatMap((path) => {
    const entry = before[path];
    return entry === undefined ? [] : [[path, entry] as const];
  });
  const others = Object.entries(now).filter(([path]) => !refused.includes(path));
  return Object.fromEntries([...others, ...kept]);
}

/** The installed package that a path of the tree belongs to: the innermost. */
function packageOf(path: string): string {
  const [first = '', second = ''] = (path.split(/(?:^|\/)node_modules\//).at(-1) ?? '').split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** Packages whose files differ between two locks, sorted, without npm's own notes. */
export function changedPackages(before: TreeLock, after: TreeLock): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...paths].filter((path) => before[path]?.[0] !== after[path]?.[0]);
  return [...new Set(changed.map(packageOf))].filter((name) => !name.startsWith('.')).sort();
}
