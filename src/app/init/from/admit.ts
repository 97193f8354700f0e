import { posix } from 'node:path';
import { WORKSPACE_FILES } from '../../../compile/discover/layout.js';
import { KitError } from '../../../domain/errors.js';
import type { SourceBounds, SourceEntry } from '../../../domain/ports/workspace-sources.js';
import { quoted } from './parse-source.js';

/** What a workspace from elsewhere may be made of. */
export const BOUNDS: SourceBounds & { readonly maxFileBytes: number; readonly maxPathChars: number } = {
  maxEntries: 1_000,
  maxTotalBytes: 20 * 1024 * 1024,
  /** As much as kit reads of an artifact. */
  maxFileBytes: 5 * 1024 * 1024,
  maxPathChars: 300,
};

/** One file of the new workspace, and the name by which its content is read in the source. */
export interface AdmittedFile {
  readonly path: string;
  readonly from: string;
}

/** What is taken, and what is not: with the reason in words. */
export interface Admitted {
  readonly files: readonly AdmittedFile[];
  readonly leftOut: readonly string[];
}

/**
 * Names that stay behind: of git, of kit's state, of installed packages, and every other hidden
 * one. Hooks, tasks and settings of tools that start by themselves live below hidden names.
 */
export const isLeftOut = (name: string): boolean =>
  name === 'node_modules' || (name.startsWith('.') && name !== '.gitignore');

const refuse = (why: string, hint: string): never => {
  throw new KitError('KIT_USAGE', `--from: ${why}`, { hint: `${hint} Nothing was written.` });
};

const kib = (bytes: number): string => `${Math.ceil(bytes / 1024)} KiB`;

/** A name that means one and the same place on every file system. */
function assertName({ path }: SourceEntry): void {
  const parts = path.split('/');
  const isPlain =
    path.length <= BOUNDS.maxPathChars &&
    !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD\\:]/u.test(path) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isPlain)
    refuse(
      `${quoted(path)} is not a name of a file that kit writes`,
      'Rename it in the source: plain names below its folder.',
    );
}

/** The folder of the source that is the workspace: its top, or its only child that is one. */
function workspaceFolder(entries: readonly SourceEntry[]): string {
  const names = new Set(entries.filter(({ kind }) => kind === 'file' || kind === 'link').map(({ path }) => path));
  const isWorkspace = (folder: string): boolean => WORKSPACE_FILES.some((name) => names.has(`${folder}${name}`));
  if (isWorkspace('')) return '';
  const children = new Set([...names].flatMap((path) => /^[^/]+\//.exec(path)?.[0] ?? []));
  const found = [...children].filter(isWorkspace).sort();
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  return found.length === 0
    ? refuse('there is no workspace.yaml at the top, nor in one folder below it', 'Give the source of a workspace.')
    : refuse(
        `there are several workspaces: ${found.map((folder) => quoted(folder.slice(0, -1))).join(', ')}`,
        'Fetch it by yourself, and give the directory of one of them.',
      );
}

/** The file that a link inside the source leads to. */
function linked(entry: SourceEntry, byPath: ReadonlyMap<string, SourceEntry>): SourceEntry {
  const target = entry.target ?? '';
  const path = posix.normalize(posix.join(posix.dirname(entry.path), target));
  if (target.startsWith('/') || path.startsWith('../') || path === '..')
    return refuse(`${quoted(entry.path)} is a link out of the source, to ${quoted(target)}`, 'Remove the link there.');
  const found = byPath.get(path);
  if (found?.kind === 'file') return found;
  return refuse(
    `${quoted(entry.path)} is a link to ${quoted(target)}, which is not a file of the source`,
    'Put the file itself in place of the link.',
  );
}

/** Two names that are one on a file system that ignores case would overwrite each other. */
function assertDistinct(files: readonly AdmittedFile[]): void {
  const seen = new Map<string, string>();
  for (const { path } of files) {
    const key = path.normalize('NFC').toLowerCase();
    const other = seen.get(key);
    if (other !== undefined)
      refuse(`${quoted(other)} and ${quoted(path)} are one name on some machines`, 'Rename one of them in the source.');
    seen.set(key, path);
  }
}

const withReason = ({ path, kind }: SourceEntry): string =>
  kind === 'submodule' ? `${path} (a submodule: kit fetches none)` : path;

/** The topmost folder or file that is left out, once. */
const leftOutPart = (path: string): string => {
  const parts = path.split('/');
  return parts.slice(0, parts.findIndex(isLeftOut) + 1).join('/');
};

/**
 * Decides what of a source becomes a workspace. Throws KIT_USAGE, before anything is read or
 * written: no workspace, a name that is none, a link out, a device, too much. Pure.
 */
export function admit(entries: readonly SourceEntry[]): Admitted {
  for (const entry of entries) assertName(entry);
  const isHidden = ({ path, kind }: SourceEntry): boolean => kind === 'skipped' || path.split('/').some(isLeftOut);
  const visible = entries.filter((entry) => !isHidden(entry));
  const folder = workspaceFolder(visible);
  const taken = visible.filter(({ path }) => path.startsWith(folder));
  const byPath = new Map(visible.map((entry) => [entry.path, entry]));
  const contents = taken
    .filter(({ kind }) => kind !== 'submodule')
    .map((entry): readonly [SourceEntry, SourceEntry] => {
      if (entry.kind === 'other')
        refuse(`${quoted(entry.path)} is a device, a pipe or a hard link`, 'Remove it from the source.');
      return [entry, entry.kind === 'link' ? linked(entry, byPath) : entry];
    });
  const large = contents.find(([, { bytes }]) => bytes > BOUNDS.maxFileBytes);
  if (large !== undefined)
    refuse(
      `${quoted(large[0].path)} has ${kib(large[1].bytes)}, more than ${kib(BOUNDS.maxFileBytes)}`,
      'Keep large files elsewhere: a workspace is text.',
    );
  if (contents.length > BOUNDS.maxEntries)
    refuse(
      `there are ${contents.length} files, more than ${BOUNDS.maxEntries}`,
      'Give a source that is a workspace alone.',
    );
  const total = contents.reduce((sum, [, { bytes }]) => sum + bytes, 0);
  if (total > BOUNDS.maxTotalBytes)
    refuse(
      `the files have ${kib(total)}, more than ${kib(BOUNDS.maxTotalBytes)}`,
      'Give a source that is a workspace alone.',
    );
  const files = contents.map(([{ path }, content]) => ({ path: path.slice(folder.length), from: content.path }));
  assertDistinct(files);
  const hidden = entries.filter((entry) => entry.path.startsWith(folder) && isHidden(entry));
  const left = [
    ...hidden.map(({ path }) => leftOutPart(path).slice(folder.length)),
    ...taken
      .filter(({ kind }) => kind === 'submodule')
      .map((entry) => withReason({ ...entry, path: entry.path.slice(folder.length) })),
  ];
  return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), leftOut: [...new Set(left)].sort() };
}
