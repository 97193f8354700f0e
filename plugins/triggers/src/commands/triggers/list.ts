import type { TriggerReport } from '@kit-run/kit/command';
import { KitCommand, timeText, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { TRIGGERS, toWire } from '@kit-run/kit/wire';

const targetsOf = ({ targets, pipelineTargets }: TriggerReport): string =>
  [...targets, ...pipelineTargets.map(({ pipeline, emit }) => `${pipeline}:${emit}`)].join(', ');

function stateOf({ enabled, reason, nextFireAt }: TriggerReport): string {
  if (!enabled) return 'disabled';
  if (reason !== null) return `inactive: ${reason}`;
  return nextFireAt === null ? 'active' : `active, next ${timeText(nextFireAt)}`;
}

/** A line for each trigger: id, type, what it starts, how it stands. */
function triggerLines(reports: readonly TriggerReport[]): readonly string[] {
  const rows = reports.map(
    (report) => [report.id, report.providerId ?? report.type, targetsOf(report), stateOf(report)] as const,
  );
  const widthOf = (column: 0 | 1 | 2): number => Math.max(0, ...rows.map((row) => row[column].length));
  const widths = [widthOf(0), widthOf(1), widthOf(2)] as const;
  return rows.map(
    ([id, type, targets, state]) =>
      `${id.padEnd(widths[0])}  ${type.padEnd(widths[1])}  ${targets.padEnd(widths[2])}  ${state}`,
  );
}

export class TriggersList extends KitCommand {
  static override summary = 'List triggers with their targets, whether they can fire, and when they fire next.';
  static override description =
    'A trigger is inactive while this machine lacks something, such as the secret of a webhook; the reason is shown. Triggers fire while `kit serve` runs.';
  static override examples = ['<%= config.bin %> triggers list', '<%= config.bin %> triggers list ./team --json'];
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(TriggersList);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const triggers = await this.kit.triggers.list({ workspace });
    if (triggers.length === 0) this.log('there are no triggers');
    for (const line of triggerLines(triggers)) this.log(line);
    return { triggers: toWire(TRIGGERS, triggers) };
  }
}
