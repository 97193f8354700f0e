import { relative, resolve } from 'node:path';
import type { FlagInput } from '@oclif/core/interfaces';
import { KitError } from '../domain/errors.js';
import { isServerAddress, shellWord } from '../lib/shell-word.js';
import { oneLine } from '../view/lines/words.js';
import type { RemoteServer } from './cli-host.js';
import type { ProcessSettings } from './process-settings.js';
import { isDirectory } from './run-and-workspace.js';

/** What oclif made of a command line; changed in place. */
export interface Parsed {
  readonly flags: Record<string, unknown>;
  readonly args: Record<string, unknown>;
}

type PlaceSettings = Pick<ProcessSettings, 'cwd' | 'server' | 'workspace' | 'findWorkspace'>;

/** Positionals that may name a workspace. */
const PLACES = ['workspace', 'run', 'what', 'item', 'gate', 'topology'] as const;

const wordsOf = ({ args }: Parsed): readonly (readonly [string, string])[] =>
  PLACES.flatMap((name) => {
    const word = args[name];
    return typeof word === 'string' ? [[name, word] as const] : [];
  });

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * Which server the command line names; null: none. `own`: flags of the command itself; `onlyHere`:
 * its name where no server does it, null = one does. Throws KIT_REMOTE_UNSUPPORTED.
 */
export function placeOf(
  parsed: Parsed,
  own: FlagInput,
  { onlyHere, ...settings }: PlaceSettings & { readonly onlyHere: string | null },
): RemotePlace | null {
  const { flags } = parsed;
  const { cwd, server } = settings;
  const place = remotePlace(
    {
      // One command has a flag of this name for something else.
      server: 'server' in own ? undefined : textOf(flags.server),
      workspace: textOf(flags.workspace),
      positionals: wordsOf(parsed).map(([, word]) => word),
    },
    { cwd, server, takesWorkspace: 'workspace' in own },
  );
  if (place !== null && onlyHere !== null)
    throw onlyHereRefusal(onlyHere, { own, directory: place.isNamed ? null : directoryHere(settings) });
  return place;
}

/** The workspace that KIT_SERVER stands before, as it is typed after `-w`; null = there is none. */
function directoryHere({ cwd, workspace, findWorkspace }: PlaceSettings): string | null {
  if (workspace !== null) return workspace;
  const found = findWorkspace();
  switch (found.kind) {
    case 'here':
      return '.';
    case 'above':
    case 'below':
      return relative(cwd, found.directory);
    case 'several':
    case 'none':
      return null;
  }
}

/**
 * What a command says that a server cannot do in its place; `command`: as it is typed, `directory`:
 * the workspace that would be looked into without KIT_SERVER.
 */
function onlyHereRefusal(
  command: string,
  { own, directory }: { readonly own: FlagInput; readonly directory: string | null },
): KitError {
  const takesPlace = 'workspace' in own;
  const hint = !takesPlace
    ? `Leave the server out: kit ${command}`
    : directory === null
      ? `Run it on the machine where the workspace lies: kit ${command} -w <directory>`
      : `KIT_SERVER wins over the workspace that is here. Name the workspace: add -w ${shellWord(directory)} to the command.`;
  return new KitError('KIT_REMOTE_UNSUPPORTED', `kit ${command} is about the machine on which it runs`, { hint });
}

/**
 * What named the server stands in `workspace` from then on: a command treats it as it treats a
 * directory. Gives the first line: which server it is, what it serves, and as whom one asks. Throws
 * KIT_USAGE for an `--as` of somebody else.
 */
export function takeServer(
  parsed: Parsed,
  own: FlagInput,
  { place, server }: { readonly place: RemotePlace; readonly server: RemoteServer },
): string {
  const { flags, args } = parsed;
  const { address, workspace, identity, otherwise } = server;
  for (const [name, word] of wordsOf(parsed)) if (word === place.positional) args[name] = undefined;
  if (place.isNamed && 'workspace' in own) flags.workspace = address;
  // The name of whoever asks says nothing new, as in a command to paste.
  if (flags.as !== undefined && flags.as !== identity)
    throw new KitError('KIT_USAGE', `--as says who acts where nobody proves it; ${address} knows you as ${identity}`, {
      hint: otherwise,
    });
  return `server ${address}, workspace ${workspace}, as ${oneLine(identity, 200)}`;
}

/** What was typed, as far as it says where a command looks. */
interface TypedPlace {
  readonly server: string | undefined;
  readonly workspace: string | undefined;
  /** Positionals that may be a workspace: alone, a directory is one. */
  readonly positionals: readonly string[];
}

/** Whose server a command speaks to. */
interface RemotePlace {
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
function remotePlace(
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
