import { Args, identityFlag, identityOf, LOCAL_DOOR, osUser, workspaceArg } from '@kit-run/kit/command';
import { DecideCommand, decisionFlags } from '../../decide-command.js';

export class ReviewApprove extends DecideCommand {
  static override summary = 'Approve an item that is no role task: a permission, a question or another matter.';
  static override args = {
    item: Args.string({ required: true, description: 'Item id or a unique prefix.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    ...decisionFlags,
    as: identityFlag('Who decides, for the log (default: the OS user).'),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ReviewApprove);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const identity = identityOf(flags.as, `cli:${osUser()}`);
    const asked = {
      workspace,
      item: args.item,
      action: 'approve' as const,
      answer: null,
      comment: flags.comment,
      identity,
      door: LOCAL_DOOR,
    };
    const { resume, color } = flags;
    return this.decided(await this.kit.review.answer(asked), {
      workspace,
      named: flags.workspace ?? args.workspace,
      by: identity,
      resume,
      color,
    });
  }
}
