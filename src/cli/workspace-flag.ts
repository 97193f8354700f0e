import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';

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
