import { KitCommand, toWireCanary, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { canaryLines } from '../../canary-text.js';

export class CanaryList extends KitCommand {
  static override summary = 'Show how the runs of a topology are split between its versions.';
  static override description =
    'For each route of `server.canary`: the share of each version, its counted runs, each condition beside what was measured, and who changed the split last. Servers split runs; `kit run` does not.';
  static override examples = ['<%= config.bin %> canary list', '<%= config.bin %> canary list ./team --json'];
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(CanaryList);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const report = await this.kit.canary.list({ workspace });
    if (report.routes.length === 0) this.log('no topology is split between versions: kit docs canary shows how');
    for (const line of canaryLines(report)) this.log(line);
    return toWireCanary(report);
  }
}
