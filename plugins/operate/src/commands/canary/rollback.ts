import { Args, oneLine, whoActs, workspaceArg } from '@kit-run/kit/command';
import { CanaryCommand, canaryFlags } from '../../canary-command.js';
import { weightsText } from '../../canary-text.js';

export class CanaryRollback extends CanaryCommand {
  static override summary = 'Send all new runs of a topology to the version that is listed first.';
  static override description =
    'The first version of the route in workspace.yaml is where a rollback leads. Asks first; --yes answers.';
  static override examples = [
    '<%= config.bin %> canary rollback triage',
    '<%= config.bin %> canary rollback triage --yes --json',
  ];
  static override args = {
    topology: Args.string({ required: true, description: 'Name of the topology.' }),
    workspace: workspaceArg,
  };
  static override flags = canaryFlags;

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(CanaryRollback);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const by = whoActs(this.settings, flags.as).identity;
    const asked = { workspace, topology: args.topology };
    if (!flags.yes) await this.requireYes({ ...asked, version: null });
    const { topology, weights } = await this.kit.canary.rollback({ ...asked, by });
    this.log(`${oneLine(topology, 80)}: ${weightsText(weights)}`);
    return { rolled_back: true, topology, weights };
  }
}
