import * as Flags from '@oclif/core/flags';
import type { FlagInput } from '@oclif/core/interfaces';

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
