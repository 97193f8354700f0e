import { identityFlag, workspaceFlag } from '@kit-run/kit/command';

/** Flags of every `kit memory` command. */
export const memoryFlags = {
  workspace: workspaceFlag,
  as: identityFlag('Whose memory; not verified, like the author of `kit run`. Default: the OS user.'),
};
