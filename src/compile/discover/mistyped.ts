import type { Diagnostic, SourceFile } from '../../domain/diagnostic.js';
import { nearest } from '../../lib/nearest.js';
import { KIND_FOLDERS } from './layout.js';
import { REMOVED_FOLDERS } from './removed.js';

const FOLDERS = KIND_FOLDERS.map(({ folder }) => folder);
const singularOf = (folder: string): string =>
  folder.endsWith('ies') ? `${folder.slice(0, -3)}y` : folder.slice(0, -1);
/** What people write -> the folder. */
const MEANT = new Map(FOLDERS.flatMap((folder) => [[folder, folder] as const, [singularOf(folder), folder] as const]));

/** Words for what a folder holds -> the folder. */
const OTHER_WORDS = new Map([
  ['agent', 'archetypes'],
  ['agents', 'archetypes'],
  ['gate', 'funnels'],
  ['gates', 'funnels'],
  ['schedules', 'triggers'],
  ['tools', 'skills'],
  ['workflows', 'topologies'],
]);

/**
 * The folder that was meant where a folder of a workspace is called almost like one, or by another
 * word for what it holds: `skill` -> `skills`. Null for folders that kit reads, and for all others.
 */
export function folderMeantBy(name: string): string | null {
  if (FOLDERS.includes(name) || REMOVED_FOLDERS.includes(name)) return null;
  return OTHER_WORDS.get(name) ?? MEANT.get(nearest(name, MEANT.keys()) ?? '') ?? null;
}

const API_LINE = /^[ \t]*"?apiVersion"?[ \t]*:[ \t]*["']?kit\//m;

/** Reports an artifact in a folder that nothing reads; other files there are the user's own. */
export function mistypedFolder(source: SourceFile): Diagnostic | null {
  const [folder = '', ...rest] = source.path.split('/');
  const meant = rest.length === 0 ? null : folderMeantBy(folder);
  if (meant === null || !API_LINE.test(source.text)) return null;
  return {
    code: 'workspace.unknown-folder',
    severity: 'error',
    message: `nothing reads the folder ${folder}/, so this file has no effect`,
    path: source.path,
    pointer: '',
    help: `did you mean ${meant}/?`,
  };
}

const KIND_LINE = /^"?kind"?[ \t]*:[ \t]*["']?(\w+)/m;

/** A YAML file beside workspace.yaml that might be an artifact; it is read to find out. */
export const mayBeMisplaced = (name: string): boolean =>
  /\.ya?ml$/.test(name) && !name.startsWith('.') && !name.startsWith('workspace.');

/**
 * Warns of an artifact beside workspace.yaml, which nothing reads. It may lie there on purpose, out
 * of the way.
 */
export function misplacedFile({ path, text }: SourceFile): Diagnostic | null {
  if (path.includes('/') || !mayBeMisplaced(path) || !API_LINE.test(text)) return null;
  const [, kind] = KIND_LINE.exec(text) ?? [];
  const folder = KIND_FOLDERS.find((entry) => entry.kind === kind)?.folder;
  if (folder === undefined) return null;
  return {
    code: 'workspace.unknown-folder',
    severity: 'warning',
    message: `nothing reads a ${kind} beside workspace.yaml, so this file has no effect`,
    path,
    pointer: '',
    help: `move it to ${folder}/`,
  };
}

/**
 * The name without the suffix of an editor, or with the one that is missing: `a.yaml.txt` and `a`
 * are `a.yaml`. Null for every other name.
 */
const nameMeantBy = (name: string): string | null =>
  /^[^.]+$/.test(name) ? `${name}.yaml` : (/^([^.].*\.ya?ml)\.txt$/.exec(name)?.[1] ?? null);

/** A file in the folder of a kind whose name no artifact has; it is read to find out. */
export const mayBeMisnamed = (name: string): boolean => nameMeantBy(name) !== null;

/** Warns of an artifact that lies in the right folder, and whose name says that it is none. */
export function misnamedFile({ path, text }: SourceFile): Diagnostic | null {
  const [folder = '', ...rest] = path.split('/');
  const meant = nameMeantBy(rest.at(-1) ?? '');
  if (meant === null || !FOLDERS.includes(folder) || !API_LINE.test(text)) return null;
  return {
    code: 'workspace.unknown-folder',
    severity: 'warning',
    message: 'nothing reads a file of this name, so it has no effect',
    path,
    pointer: '',
    help: `rename it to ${meant}`,
  };
}
