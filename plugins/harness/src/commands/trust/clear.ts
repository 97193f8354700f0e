import { Args, identityFlag, KitCommand, onlyHere, whoActs, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { trustJson } from '@kit-run/kit/text/trust-text';

export class TrustClear extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Reset the count of approvals of such calls, and unblock them after a denial.';
  static override args = {
    id: Args.string({ required: true, description: 'Id as `trust list` shows it, or a unique prefix.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    as: identityFlag('Your name for the log (default: the OS user).'),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(TrustClear);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const by = whoActs(this.settings, flags.as).identity;
    const done = await this.kit.trust.clear({ workspace, id: args.id, by });
    this.log(`${done.id} is counted from 0 again`);
    return trustJson(done);
  }
}
