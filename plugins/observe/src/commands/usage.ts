import {
  ageMs,
  colorFlag,
  Flags,
  KitCommand,
  listView,
  toWireUsageReport,
  USAGE_KEYS,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { usageText } from '@kit-run/kit/text/usage-text';

export class Usage extends KitCommand {
  static override summary = 'Show what calls of models have cost, by model, topology or day.';
  static override description =
    'Adds up what every run recorded, also of runs that still work or that failed. The cost is unknown where the price of a call is. Days are of UTC. `kit status` shows the cost of each run.';
  static override examples = [
    '<%= config.bin %> usage --by day --since 30d',
    '<%= config.bin %> usage --by topology --json',
  ];
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    by: Flags.option({ options: USAGE_KEYS, default: 'model' as const, description: 'What each line stands for.' })(),
    since: Flags.string({ description: 'Only calls within 90s, 5m, 2h, 7d.', helpValue: 'TIME' }),
    topology: Flags.string({
      char: 't',
      description: 'Only runs of this topology, whichever its version.',
      helpValue: 'NAME',
    }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Usage);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const report = await this.kit.info.usage({
      workspace,
      by: flags.by,
      topology: flags.topology ?? null,
      youngerThanMs: flags.since === undefined ? null : ageMs('since', flags.since),
      since: null,
      until: null,
    });
    if (report.shares.length === 0) this.log('no run called a model in that time');
    else if (!this.jsonEnabled()) {
      this.log(usageText(report, listView(this.settings, flags.color)));
    }
    return toWireUsageReport(report);
  }
}
