import { relative } from 'node:path';

/** Which workspace stands for whoever named none. Directories are absolute. */
export type FoundWorkspace =
  /** The current directory is one. */
  | { readonly kind: 'here' | 'none' }
  | { readonly kind: 'above' | 'below'; readonly directory: string }
  | { readonly kind: 'several'; readonly directories: readonly string[] };

/** Directories that are named at most. */
const MAX_NAMED = 6;

/** The first line of a command that named no workspace; null: there is nothing to say. */
export function foundText(found: FoundWorkspace, cwd: string): string | null {
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
