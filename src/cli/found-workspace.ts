import { relative } from 'node:path';
import type { PlacesApp, RunsPlace, UnreadStore } from '../app/info/runs-place.js';
import { isKitError, KitError } from '../domain/errors.js';
import { type PastePlace, placeWord } from '../lib/shell-word.js';

/** Which workspace stands for whoever named none. Directories are absolute. */
export type FoundWorkspace =
  /** The current directory is one. */
  | { readonly kind: 'here' | 'none' }
  | { readonly kind: 'above' | 'below'; readonly directory: string }
  | { readonly kind: 'several'; readonly directories: readonly string[] };

/** How the workspace of a command came to be the one that it looked into. */
export type WorkspaceChoice =
  /** It was written on the command line. */
  | { readonly kind: 'typed'; readonly directory: string }
  /** KIT_WORKSPACE names it. */
  | { readonly kind: 'variable'; readonly directory: string }
  | SearchedWorkspace;

/** Nobody named one: it was looked for. */
export interface SearchedWorkspace {
  readonly kind: 'searched';
  readonly found: FoundWorkspace;
  readonly cwd: string;
  /** The one that was taken, else the current directory; absolute. */
  readonly directory: string;
}

/** Directories that are named at most. */
const MAX_NAMED = 6;

/** The first line of a command that named no workspace; null: there is nothing to say. */
function foundText(found: FoundWorkspace, cwd: string): string | null {
  switch (found.kind) {
    case 'here':
    case 'none':
      return null;
    case 'above':
    case 'below':
      return `workspace ${relative(cwd, found.directory)} (the nearest ${found.kind} this directory; -w names another)`;
    case 'several': {
      const names = found.directories.slice(0, MAX_NAMED).map((dir) => relative(cwd, dir));
      const more = found.directories.length > names.length ? ', ...' : '';
      return `no workspace in this directory; below it are ${names.join(', ')}${more}: name one with -w`;
    }
  }
}

/** What a search needs of the settings of a process. */
interface SearchSettings {
  readonly cwd: string;
  readonly findWorkspace: () => FoundWorkspace;
  readonly quiet: boolean;
}

/** Looks for the workspace of whoever named none, and prints which one was taken. */
export function searchWorkspace(
  { cwd, findWorkspace, quiet }: SearchSettings,
  printLine: (line: string) => void,
): SearchedWorkspace {
  const found = findWorkspace();
  const notice = foundText(found, cwd);
  if (notice !== null && !quiet) printLine(notice);
  const directory = found.kind === 'above' || found.kind === 'below' ? found.directory : cwd;
  return { kind: 'searched', found, cwd, directory };
}

/** Workspaces below the current directory, among which nobody chose; absolute. */
export const severalBelow = (choice: WorkspaceChoice | null): readonly string[] =>
  choice?.kind === 'searched' && choice.found.kind === 'several' ? choice.found.directories : [];

/** Where a command looked for runs. */
export interface RunsLook {
  /** Null: a server answered, or no workspace was asked for. */
  readonly choice: WorkspaceChoice | null;
  /** How the workspace is named where a line is pasted. */
  readonly place: PastePlace;
  readonly places: () => PlacesApp;
}

/** What it was, for who found no run: a place that cannot be told is left out. */
async function placeOf({ choice, places }: RunsLook): Promise<RunsPlace | null> {
  return choice === null
    ? null
    : places()
        .runsPlace(choice.directory)
        .catch(() => null);
}

const NOTHING_RUN = 'nothing was ever run in this workspace';

/** For who found no run: where was looked, and what lies beside it unread. */
export async function noRunsText(look: RunsLook): Promise<string> {
  const found = await placeOf(look);
  if (found === null) return NOTHING_RUN;
  const { unread } = found;
  const beside = unread === null ? '' : `\n${besideText(unread, look.place)}`;
  return `${NOTHING_RUN}${lookedText(found)}${beside}`;
}

/** What a list leaves out; null = nothing. */
export async function unreadNotice(look: RunsLook): Promise<string | null> {
  const unread = (await placeOf(look))?.unread ?? null;
  return unread === null ? null : besideText(unread, look.place);
}

/** Errors of who asks for a run, or what belongs to one, that is not there. */
const OF_RUNS: readonly string[] = ['KIT_JOB_UNKNOWN', 'KIT_NOTHING_TO_RESUME', 'KIT_GATE_UNKNOWN', 'KIT_ITEM_UNKNOWN'];

/** The refusal of a run that is not there, where a store that is not read may hold it. */
export async function withUnreadRuns(error: unknown, look: RunsLook): Promise<unknown> {
  if (!isKitError(error) || !OF_RUNS.includes(error.code)) return error;
  const unread = (await placeOf(look))?.unread ?? null;
  if (unread === null) return error;
  return new KitError(error.code, error.message, {
    cause: error,
    data: error.data,
    hint: `${unreadText(unread)}: \`${lookText(unread, look.place)}\` lists its runs.`,
  });
}

const lookedText = ({ location, setting }: RunsPlace): string =>
  location === null || setting === null ? '' : `; looked in ${location} (${setting})`;

const unreadText = ({ file }: UnreadStore): string => `${file} is there too, and these settings do not read it`;

const besideText = (unread: UnreadStore, place: PastePlace): string =>
  `${unreadText(unread)}: ${lookText(unread, place)}`;

const lookText = ({ variables }: UnreadStore, place: PastePlace): string =>
  `${variables} kit status${placeWord(place, ' -w ')}`;
