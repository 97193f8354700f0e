import { readFile, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type CallFacts, fitsGlob, fitsWildcard, isInside, type Json, type JsonObject } from '@kit-run/kit/plugin';
import type { Announced } from './claude-hook.js';
import type { AdapterGate, GatedTool } from './gate-spec.js';

/** Longest name of a tool that is looked at; a longer one is of a tool that nobody knows. */
const MAX_NAME_CHARS = 256;
/** Files of the worktree that are git's, whatever the program. */
const GIT_FILES = ['.git', '.git/**', '**/.git', '**/.git/**'];

/** Where the calls of one session happen, links resolved. */
export interface CallPlace {
  /** Directory that the program works in. */
  readonly cwd: string;
  /** Top of the worktree that it lies in. */
  readonly top: string;
  /** What the program calls `cwd`, where that is another path; absent: the same. */
  readonly inside?: string;
}

/**
 * The place of a session in this directory; `inside`: as its program sees it, in a container where
 * nothing else of the worktree lies.
 */
export async function placeOf(sandboxRoot: string, inside?: string): Promise<CallPlace> {
  const cwd = await realpath(sandboxRoot);
  return inside === undefined ? { cwd, top: await topOf(cwd) } : { cwd, top: cwd, inside };
}

/** What rules look at of a call: its kind by the table of the adapter, and what it is about. */
export async function classify(
  gate: Pick<AdapterGate, 'tools' | 'controlFiles'>,
  call: Pick<Announced, 'tool' | 'input' | 'paths' | 'within'>,
  place: CallPlace,
): Promise<CallFacts> {
  const { tool: name, input } = call;
  const tool = name.length > MAX_NAME_CHARS ? undefined : gate.tools.find((one) => fitsWildcard(one.name, name));
  if (tool === undefined) return { kind: 'unknown', subject: name, place: null };
  const subject = subjectOf(tool, input);
  switch (tool.kind) {
    case 'read':
    case 'edit':
      return call.paths === undefined
        ? { kind: tool.kind, ...(await pathFacts(gate, subject, place)) }
        : aboutPaths(gate, { tool, paths: subject === '' ? call.paths : [subject, ...call.paths] }, place);
    case 'mcp':
      return { kind: tool.kind, subject: wildOf(tool.name, name), place: null };
    case 'execute':
      // In another directory it is another command: what allows it here says nothing there.
      return {
        kind: tool.kind,
        subject: call.within === undefined ? subject : `cd ${call.within} && ${subject}`,
        place: null,
      };
    case 'network':
    case 'inner':
    case 'question':
      return { kind: tool.kind, subject, place: null };
  }
}

/** Files that a call without a path is about: those of the directory that the program works in. */
const isAboutAll = ({ kind, name }: GatedTool): boolean => kind === 'read' && name === 'search';

/**
 * A call whose program names its files in several places. One that names none, or more than one, is
 * of a kind that no entry can be about: people decide.
 */
async function aboutPaths(
  gate: Pick<AdapterGate, 'controlFiles'>,
  { tool, paths }: { readonly tool: GatedTool; readonly paths: readonly string[] },
  place: CallPlace,
): Promise<CallFacts> {
  const given = paths.length === 0 && isAboutAll(tool) ? ['.'] : paths;
  const all = await Promise.all(given.map((path) => pathFacts(gate, path, place)));
  const [first, ...rest] = all;
  if (first === undefined || rest.some(({ subject }) => subject !== first.subject))
    return { kind: 'unknown', subject: all.map(({ subject }) => subject).join(', '), place: null };
  return { kind: tool.kind, ...first };
}

function subjectOf({ subject }: GatedTool, input: JsonObject): string {
  const value: Json = (subject === null ? null : input[subject]) ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What the two `*` of `mcp__*__*` stand for, as `server/tool`; where that is unclear, the name. */
function wildOf(pattern: string, name: string): string {
  const [before = '', between = '', ...rest] = pattern.split('*');
  const inside = name.slice(before.length);
  const at = between === '' ? -1 : inside.indexOf(between);
  if (rest.length !== 1 || rest[0] !== '' || at < 1) return name;
  return `${inside.slice(0, at)}/${inside.slice(at + between.length)}`;
}

async function pathFacts(
  { controlFiles }: Pick<AdapterGate, 'controlFiles'>,
  given: string,
  { cwd, top, inside }: CallPlace,
): Promise<Pick<CallFacts, 'subject' | 'place'>> {
  const named = resolve(inside ?? cwd, given === '' ? '.' : given);
  const at = inside === undefined ? named : relative(inside, named);
  // Of a container's own files this machine knows nothing.
  if (inside !== undefined && (at === '..' || at.startsWith(`..${sep}`))) return { subject: named, place: 'outside' };
  const path = await realOf(resolve(cwd, at));
  if (!isInside(top, path)) return { subject: path, place: 'outside' };
  const below = relative(top, path);
  const own = relative(cwd, path);
  const isControl = [...GIT_FILES, ...controlFiles].some((glob) => fitsGlob(glob, below) || fitsGlob(glob, own));
  return { subject: own === '' ? '.' : own, place: isControl ? 'control' : 'inside' };
}

/** Links that are followed one after the other before a path counts as lying outside. */
const MAX_LINKS = 40;

/**
 * Links resolved as far as the path exists; a file that is yet to be made lies in its directory, or
 * where the link leads that stands in its place.
 */
async function realOf(path: string, links = 0): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null) return real;
  const folder = dirname(path);
  if (folder === path || links > MAX_LINKS) return sep;
  const target = await readlink(path).catch(() => null);
  if (target !== null) return realOf(resolve(folder, target), links + 1);
  return join(await realOf(folder, links), basename(path));
}

/**
 * The directory at or above this one that holds the `.git` file of a worktree; this one where there
 * is none, so that a program that removes the file is trusted with less, not with more.
 */
async function topOf(cwd: string): Promise<string> {
  for (let folder = cwd; dirname(folder) !== folder; folder = dirname(folder)) {
    const text = await readFile(join(folder, '.git'), 'utf8').catch(() => '');
    if (/^gitdir: .*\/worktrees\//.test(text)) return folder;
  }
  return cwd;
}
