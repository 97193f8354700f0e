import {
  colorFlag,
  KitCommand,
  listView,
  onlyHere,
  toWireQueueStats,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { queueText } from '@kit-run/kit/text/queue-text';

export class QueueStats extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Show how many runs wait, for how long, and how long runs take.';
  static override description =
    'Counts the runs that wait for a claim and those that execute, in the store that servers and workers share. Times are of the 500 newest completed runs; parked runs do not count.';
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag, color: colorFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(QueueStats);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const stats = await this.kit.jobs.queueStats({ workspace });
    if (!this.jsonEnabled()) {
      this.log(queueText(stats, listView(this.settings, flags.color)));
    }
    return toWireQueueStats(stats);
  }
}
