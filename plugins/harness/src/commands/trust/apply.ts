import {
  Args,
  colorFlag,
  identityFlag,
  KitCommand,
  listView,
  onlyHere,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { proposalJson, proposalText } from '@kit-run/kit/text/trust-text';

export class TrustApply extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Write a proposed entry of `permissions` into its archetype.';
  static override description =
    'Comments and layout of the file stay. If the entry cannot be added without other changes, nothing is written.';
  static override args = {
    id: Args.string({ required: true, description: 'Id as `trust list` shows it, or a unique prefix.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    as: identityFlag('Your name for the log (default: the OS user).'),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(TrustApply);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const by = whoActs(this.settings, flags.as).identity;
    const done = await this.kit.trust.apply({ workspace, id: args.id, by });
    this.log(proposalText(done, listView(this.settings, flags.color)));
    return proposalJson(done);
  }
}
