import { resolve } from 'node:path';
import { KitError } from '../domain/errors.js';
import { isServerAddress } from '../lib/shell-word.js';
import { isDirectory } from './run-and-workspace.js';

/** What was typed, as far as it says where a command looks. */
export interface TypedPlace {
  readonly server: string | undefined;
  readonly workspace: string | undefined;
  /** Positionals that may be a workspace: alone, a directory is one. */
  readonly positionals: readonly string[];
}

/** Whose server a command speaks to. */
export interface RemotePlace {
  readonly server: string;
  /** It was named on the command line: commands to paste name it too. */
  readonly isNamed: boolean;
  /** The positional that named it; null = another one did, or none. */
  readonly positional: string | null;
}

/**
 * Null: a directory. `--server` wins; an address in place of a workspace names a server as well;
 * KIT_SERVER holds where neither a workspace nor a server is written. Throws KIT_USAGE where both
 * are.
 */
export function remotePlace(
  typed: TypedPlace,
  of: { readonly cwd: string; readonly server: string | null; readonly takesWorkspace: boolean },
): RemotePlace | null {
  const { server, workspace, positionals } = typed;
  const positional = positionals.find(isServerAddress) ?? null;
  const address = workspace !== undefined && isServerAddress(workspace) ? workspace : positional;
  const named = server ?? address;
  const directory =
    workspace !== undefined && !isServerAddress(workspace)
      ? workspace
      : positionals.find((word) => !/^[0-9a-f]{3,12}$/.test(word) && isDirectory(resolve(of.cwd, word)));
  if (named !== null && named !== undefined) {
    if (directory === undefined) return { server: named, isNamed: true, positional };
    throw new KitError('KIT_USAGE', `a server (${named}) and a directory (${directory}) are named`, {
      hint: 'Leave out one of them.',
    });
  }
  if (of.server === null || directory !== undefined || !of.takesWorkspace) return null;
  return { server: of.server, isNamed: false, positional: null };
}
