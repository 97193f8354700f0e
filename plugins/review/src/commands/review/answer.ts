import { Args, identityFlag, LOCAL_AUTH, osUser, whoActs } from '@kit-run/kit/command';
import { decisionFlags } from '../../decide-command.js';
import { NamedCommand, namedArgs } from '../../named-command.js';

export class ReviewAnswer extends NamedCommand {
  static override summary = 'Answer a question of a run: free text, one of the options, or its number.';
  static override args = {
    item: namedArgs.item,
    text: Args.string({ required: true, description: 'The answer.' }),
    workspace: namedArgs.workspace,
  };
  static override flags = {
    ...decisionFlags,
    as: identityFlag('Name of the person who answers, for the log (default: the OS user).'),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ReviewAnswer);
    const { resume, color } = flags;
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const named = flags.workspace ?? args.workspace;
    const who = whoActs(this.settings, flags.as, `cli:${osUser()}`);
    const { identity } = who;
    const { item } = await this.theOne(args.item, { workspace, named, by: identity, otherwise: who.otherwise, color });
    const asked = {
      ...{ workspace, item: item.id, isWholeId: true, comment: flags.comment, identity, auth: LOCAL_AUTH },
      ...{ action: 'answer' as const, answer: args.text },
    };
    return this.decided(await this.kit.review.answer(asked), { workspace, named, by: identity, who, resume, color });
  }
}
