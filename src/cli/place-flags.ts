// Where a command looks: a directory, or a server in its place.
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type { FlagInput } from '@oclif/core/interfaces';

/**
 * Shared `-w/--workspace`; wins over the positional argument, KIT_WORKSPACE and the one that is
 * found from the current directory, in this order.
 */
export const workspaceFlag = Flags.string({
  char: 'w',
  description: 'Directory that holds workspace.yaml.',
  helpValue: 'DIR',
});

/** Shared optional positional argument. */
export const workspaceArg = Args.string({
  description:
    'Directory that holds workspace.yaml (default: KIT_WORKSPACE, else this directory, the nearest above it or the only one below it).',
});

/** `--server`, of every command: a server in place of a directory (docs/remote.md#which-server). */
export const serverFlag = Flags.string({
  description: 'Ask the server at this address in place of a directory (default: KIT_SERVER).',
  helpValue: 'URL',
  helpGroup: 'GLOBAL',
});

/**
 * `baseFlags` of a command that is about the machine on which it runs: help does not list
 * `--server`, and a server that is named is refused with KIT_REMOTE_UNSUPPORTED.
 */
export const onlyHere: FlagInput = { server: { ...serverFlag, hidden: true } };
