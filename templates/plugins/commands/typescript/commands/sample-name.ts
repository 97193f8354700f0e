import { Args, KitCommand } from '@kit-run/kit/command';

/** `kit sample-name [workspace]`: how many topologies a workspace has. */
export class SampleCommand extends KitCommand {
  static override summary = 'Say how many topologies a workspace has.';
  static override args = {
    workspace: Args.string({ description: 'Directory that holds workspace.yaml (default: the current one).' }),
  };

  /**
   * What is returned is the last line under `--json`; `log` is for people and says nothing under
   * `--json`.
   */
  async run() {
    const { args } = await this.parse(SampleCommand);
    const report = await this.kit.validateWorkspace(this.workspaceDir({ arg: args.workspace }));
    const topologies = report.ids.topologies.length;
    this.log(`${topologies} topologies`);
    return { topologies };
  }
}
