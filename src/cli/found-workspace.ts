import { relative } from 'node:path';

/** Which workspace stands for whoever named none. Directories are absolute. */
export type FoundWorkspace =
  /** The current directory is one. */
  | { readonly kind: 'here' | 'none' }
  | { readonly kind: 'above' | 'below'; readonly directory: string }
  | { readonly kind: 'several'; readonly directories: readonly string[] };

/** How the workspace of a command came to be the one that it looked into. */
export type WorkspaceChoice =
  /** It was written on the command line. */
  | { readonly kind: 'typed' }
  /** KIT_WORKSPACE names it. */
  | { readonly kind: 'variable' }
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
