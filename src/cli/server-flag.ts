import * as Flags from '@oclif/core/flags';

/** `--server`, of every command: a server in place of a directory (docs/remote.md#which-server). */
export const serverFlag = Flags.string({
  description: 'Ask the server at this address in place of a directory (default: KIT_SERVER).',
  helpValue: 'URL',
  helpGroup: 'GLOBAL',
});
