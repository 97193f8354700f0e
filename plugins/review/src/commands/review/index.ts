import { Flags, KitCommand, KitError, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { colorFlag } from '../../review-flags.js';

export class Review extends KitCommand {
  static override summary = 'Open the inbox: what waits for you, and everything to decide it from.';
  static override description = 'It needs a terminal. Elsewhere: review list, review show, review resolve.';
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    as: Flags.string({ description: 'Who decides (default: the OS user).', helpValue: 'IDENTITY' }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    await this.parse(Review);
    if (!this.settings.stdinIsTty || !this.settings.stdoutIsTty || this.jsonEnabled())
      throw new KitError('KIT_USAGE', 'the inbox needs a terminal', {
        hint: 'Run `kit review list`, then `kit review resolve <id> --as <identity> --approve`.',
      });
    throw new KitError('KIT_NOT_YET', 'the inbox is not there yet', { hint: 'Run `kit review list`.' });
  }
}
