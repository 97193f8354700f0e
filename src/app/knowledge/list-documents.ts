import { join, relative, sep } from 'node:path';
import { isKitError, messageOf } from '../../domain/errors.js';
import type { KnowledgeBase } from '../../domain/knowledge.js';
import type { Files } from '../../domain/ports/system.js';
import { isInside } from '../../lib/is-inside.js';
import { isDocumentName, type KnowledgeProblem, MAX_FILES } from './documents.js';

/** Whether a path below a base, relative to it, is wanted. */
export type IsIncluded = (path: string) => boolean;

export interface ListedDocument {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** Where its bytes lie, links resolved. */
  readonly realPath: string;
}

export interface DocumentList {
  readonly documents: readonly ListedDocument[];
  readonly problems: readonly KnowledgeProblem[];
}

interface Walk {
  readonly files: Files;
  readonly root: string;
  readonly base: KnowledgeBase;
  readonly isIncluded: IsIncluded;
  /** Real paths of the folders above: a link to one of them is not entered again. */
  readonly above: readonly string[];
  readonly found: ListedDocument[];
  readonly problems: KnowledgeProblem[];
}

/**
 * The documents of a base, by path. Hidden files and folders are none. What is wanted and lies
 * outside the workspace, or cannot be listed, is a problem, never left out.
 */
export async function listDocuments(
  place: { readonly files: Files; readonly root: string },
  base: KnowledgeBase,
  isIncluded: IsIncluded | null,
): Promise<DocumentList> {
  const walk: Walk = { ...place, base, isIncluded: isIncluded ?? isDocumentName, above: [], found: [], problems: [] };
  const real = await realPathOf(walk, base.path);
  const entries = real === null ? null : await entriesOf(walk, base.path, real);
  if (entries !== null && real !== null)
    await walkFolder(
      { ...walk, above: [real] },
      { path: base.path === '.' ? '' : `${base.path}/`, below: '', real, entries },
    );
  // A base of one file holds it, whatever its name.
  else if (real !== null) walk.found.push({ path: base.path, realPath: real });
  const { found, problems } = walk;
  if (found.length === 0 && problems.length === 0) problems.push(nothingFound(base, real !== null));
  if (found.length > MAX_FILES)
    problems.push({
      code: 'knowledge.too-large',
      base: base.id,
      file: base.path,
      message: `\`${base.path}\` holds more than ${MAX_FILES} documents`,
    });
  return { documents: found.slice(0, MAX_FILES), problems };
}

const nothingFound = ({ id, path, include }: KnowledgeBase, isThere: boolean): KnowledgeProblem => {
  const what = include.length === 0 ? 'no Markdown, text or PDF file' : 'no file that fits `include`';
  return {
    code: 'knowledge.nothing-found',
    base: id,
    file: path,
    message: isThere ? `\`${path}\` holds ${what}` : `nothing lies at \`${path}\``,
  };
};

type Entries = NonNullable<Awaited<ReturnType<Files['list']>>>;

interface Folder {
  /** Relative to the workspace and to the base: '' or with a `/` at the end. */
  readonly path: string;
  readonly below: string;
  readonly real: string;
  readonly entries: Entries;
}

async function walkFolder(walk: Walk, folder: Folder): Promise<void> {
  for (const { name, kind } of folder.entries) {
    if (walk.found.length > MAX_FILES) return;
    if (name.startsWith('.')) continue;
    const [path, below] = [folder.path + name, folder.below + name];
    if (kind === 'directory') await walkInto(walk, { path, below });
    else if (walk.isIncluded(below)) await takeFile(walk, { path, kind });
  }
}

async function walkInto(walk: Walk, { path, below }: { readonly path: string; readonly below: string }): Promise<void> {
  const real = await realPathOf(walk, path);
  if (real === null || walk.above.includes(real)) return;
  const entries = await entriesOf(walk, path, real);
  if (entries !== null)
    await walkFolder(
      { ...walk, above: [...walk.above, real] },
      { path: `${path}/`, below: `${below}/`, real, entries },
    );
}

async function takeFile(
  walk: Walk,
  { path, kind }: { readonly path: string; readonly kind: Entries[number]['kind'] },
): Promise<void> {
  const real = await realPathOf(walk, path);
  if (real !== null && kind === 'file') walk.found.push({ path, realPath: real });
  else if (real !== null || !walk.problems.some(({ file }) => file === path))
    walk.problems.push(unreadable(walk.base, path, real === null ? 'the link leads nowhere' : 'it is not a file'));
}

/** Null with a problem for what leads out of the workspace; null alone for what is not there. */
async function realPathOf({ files, root, base, problems }: Walk, path: string): Promise<string | null> {
  try {
    const real = await files.realPath(join(root, path));
    if (real === null) return real;
    if (isInside(root, real)) {
      if (!isHidden(root, real)) return real;
      // Keys and state, whatever the link to them is called.
      problems.push(unreadable(base, path, 'it leads to a hidden file or folder'));
      return null;
    }
    problems.push({
      code: 'knowledge.outside',
      base: base.id,
      file: path,
      message: `\`${path}\` lies outside the workspace`,
    });
  } catch (error) {
    problems.push(unreadable(base, path, reasonOf(error)));
  }
  return null;
}

const isHidden = (root: string, real: string): boolean =>
  relative(root, real)
    .split(sep)
    .some((part) => part.startsWith('.'));

async function entriesOf({ files, base, problems }: Walk, path: string, real: string): Promise<Entries | null> {
  try {
    return await files.list(real);
  } catch (error) {
    problems.push(unreadable(base, path, reasonOf(error)));
    return [];
  }
}

export const unreadable = ({ id }: KnowledgeBase, file: string, why: string): KnowledgeProblem => ({
  code: 'knowledge.unreadable',
  base: id,
  file,
  message: `\`${file}\` cannot be read: ${why}`,
});

/** The code of the system says it without the path of this machine. */
export const reasonOf = (error: unknown): string => {
  if (isKitError(error)) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : null;
  return code ?? messageOf(error);
};
