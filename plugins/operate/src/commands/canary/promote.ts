import { Args, oneLine, whoActs, workspaceArg } from '@kit-run/kit/command';
import { CanaryCommand, canaryFlags } from '../../canary-command.js';
import { weightsText } from '../../canary-text.js';

export class CanaryPromote extends CanaryCommand {
  static override summary = 'Send all new runs of a topology to one version.';
  static override description =
    'The change holds over restarts, until somebody decides again or the route in workspace.yaml changes. Asks first; --yes answers.';
  static override examples = [
    '<%= config.bin %> canary promote triage 2.0.0',
    '<%= config.bin %> canary promote triage 2.0.0 --yes --json',
  ];
  static override args = {
    topology: Args.string({ required: true, description: 'Name of the topology.' }),
    version: Args.string({ required: true, description: 'Version that gets all runs.' }),
    workspace: workspaceArg,
  };
  static override flags = canaryFlags;

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(CanaryPromote);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const by = whoActs(this.settings, flags.as).identity;
    const asked = { workspace, topology: args.topology, version: args.version };
    if (!flags.yes) await this.requireYes(asked);
    const { topology, weights } = await this.kit.canary.promote({ ...asked, by });
    this.log(`${oneLine(topology, 80)}: ${weightsText(weights)}`);
    return { promoted: true, topology, version: args.version, weights };
  }
}
