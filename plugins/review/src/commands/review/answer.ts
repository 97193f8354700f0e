import { Args, identityFlag, LOCAL_AUTH, osUser, whoActs, workspaceArg } from '@kit-run/kit/command';
import { DecideCommand, decisionFlags } from '../../decide-command.js';

export class ReviewAnswer extends DecideCommand {
  static override summary = 'Answer a question of a run: free text, one of the options, or its number.';
  static override args = {
    item: Args.string({ required: true, description: 'Item id or a unique prefix.' }),
    text: Args.string({ required: true, description: 'The answer.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    ...decisionFlags,
    as: identityFlag('Name of the person who answers, for the log (default: the OS user).'),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ReviewAnswer);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const who = whoActs(this.settings, flags.as, `cli:${osUser()}`);
    const { identity } = who;
    const asked = {
      workspace,
      item: args.item,
      action: 'answer' as const,
      answer: args.text,
      comment: flags.comment,
      identity,
      auth: LOCAL_AUTH,
    };
    const { resume, color } = flags;
    return this.decided(await this.kit.review.answer(asked), {
      workspace,
      named: flags.workspace ?? args.workspace,
      by: identity,
      who,
      resume,
      color,
    });
  }
}
