import { relative, resolve } from 'node:path';
import type { RunsPlace, UnreadStore } from '../app/info/runs-place.js';
import { isKitError, KitError } from '../domain/errors.js';
import { type PastePlace, placeWord } from '../lib/shell-word.js';
import type { CliHost, RemoteServer } from './cli-host.js';
import type { FoundWorkspace } from './process-settings.js';

/** How the workspace of a command came to be the one that it looked into. */
export type WorkspaceChoice =
  /** It was written on the command line. */
  | { readonly kind: 'typed'; readonly directory: string }
  /** KIT_WORKSPACE names it. */
  | { readonly kind: 'variable'; readonly directory: string }
  /** Nobody named one: it was looked for from `cwd`, which it is where none was found. */
  | { readonly kind: 'searched'; readonly found: FoundWorkspace; readonly cwd: string; readonly directory: string };

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

/** Errors of who asks for a run, or what belongs to one, that is not there. */
const OF_RUNS: readonly string[] = ['KIT_JOB_UNKNOWN', 'KIT_NOTHING_TO_RESUME', 'KIT_GATE_UNKNOWN', 'KIT_ITEM_UNKNOWN'];

const NOTHING_RUN = 'nothing was ever run in this workspace';

/** Where one command looks: into a directory, or at a server in its place. */
export class CommandPlace {
  /** Null: none was named. */
  server: RemoteServer | null = null;
  /** Null: no workspace was asked for, or a server stands in its place. */
  choice: WorkspaceChoice | null = null;
  /** As it was typed; null: it was not, or is the current directory. */
  #named: string | null = null;
  readonly #host: () => Pick<CliHost, 'settings' | 'kit'>;

  constructor(host: () => Pick<CliHost, 'settings' | 'kit'>) {
    this.#host = host;
  }

  /** How it is named where a line is pasted. */
  get word(): PastePlace {
    return this.#named ?? (this.server === null ? '' : { inherited: this.server.address });
  }

  /** The directory, absolute, or the address. Which one was found is printed once. */
  take(named: string | undefined, printLine: (line: string) => void): string {
    const { cwd } = this.#host().settings;
    const isHere = named !== undefined && this.server === null && resolve(cwd, named) === cwd;
    this.#named = isHere ? null : (named ?? null);
    if (this.server !== null) return this.server.address;
    this.choice = this.#chosen(named, printLine);
    return this.choice.directory;
  }

  #chosen(named: string | undefined, printLine: (line: string) => void): WorkspaceChoice {
    const { cwd, workspace, findWorkspace, quiet } = this.#host().settings;
    if (named !== undefined) return { kind: 'typed', directory: resolve(cwd, named) };
    if (workspace !== null) return { kind: 'variable', directory: resolve(cwd, workspace) };
    if (this.choice?.kind === 'searched') return this.choice;
    const found = findWorkspace();
    const notice = foundText(found, cwd);
    if (notice !== null && !quiet) printLine(notice);
    const directory = found.kind === 'above' || found.kind === 'below' ? found.directory : cwd;
    return { kind: 'searched', found, cwd, directory };
  }

  /** For who found no run: where was looked, and what lies beside it unread. */
  async noRuns(): Promise<string> {
    const found = await this.#runsPlace();
    if (found === null) return NOTHING_RUN;
    const beside = found.unread === null ? '' : `\n${besideText(found.unread, this.word)}`;
    return `${NOTHING_RUN}${lookedText(found)}${beside}`;
  }

  /** What a list leaves out; null = nothing. */
  async unread(): Promise<string | null> {
    const unread = (await this.#runsPlace())?.unread ?? null;
    return unread === null ? null : besideText(unread, this.word);
  }

  /** The refusal of a run that is not there, where a store that is not read may hold it. */
  async withUnreadRuns(error: unknown): Promise<unknown> {
    if (!isKitError(error) || !OF_RUNS.includes(error.code)) return error;
    const unread = (await this.#runsPlace())?.unread ?? null;
    if (unread === null) return error;
    return new KitError(error.code, error.message, {
      cause: error,
      data: error.data,
      hint: `${unreadText(unread)}: \`${lookText(unread, this.word)}\` lists its runs.`,
    });
  }

  /** What was looked into: a place that cannot be told is left out. */
  async #runsPlace(): Promise<RunsPlace | null> {
    if (this.choice === null) return null;
    const { places } = this.#host().kit();
    return places.runsPlace(this.choice.directory).catch(() => null);
  }
}

/** Workspaces below the current directory, among which nobody chose; absolute. */
export const severalBelow = (choice: WorkspaceChoice | null): readonly string[] =>
  choice?.kind === 'searched' && choice.found.kind === 'several' ? choice.found.directories : [];

const lookedText = ({ location, setting }: RunsPlace): string =>
  location === null || setting === null ? '' : `; looked in ${location} (${setting})`;

const unreadText = ({ file }: UnreadStore): string => `${file} is there too, and these settings do not read it`;

const besideText = (unread: UnreadStore, place: PastePlace): string =>
  `${unreadText(unread)}: ${lookText(unread, place)}`;

const lookText = ({ variables }: UnreadStore, place: PastePlace): string =>
  `${variables} kit status${placeWord(place, ' -w ')}`;
