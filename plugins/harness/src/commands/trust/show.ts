import { Args, colorFlag, KitCommand, listView, onlyHere, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { proposalJson, proposalText } from '@kit-run/kit/text/trust-text';

export class TrustShow extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Show what a proposal would write, and where.';
  static override args = {
    id: Args.string({ required: true, description: 'Id as `trust list` shows it, or a unique prefix.' }),
    workspace: workspaceArg,
  };
  static override flags = { workspace: workspaceFlag, color: colorFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(TrustShow);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const proposal = await this.kit.trust.show({ workspace, id: args.id });
    this.log(proposalText(proposal, listView(this.settings, flags.color)));
    return proposalJson(proposal);
  }
}
