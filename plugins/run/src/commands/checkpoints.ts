import {
  colorFlag,
  Flags,
  KitCommand,
  listView,
  onlyHere,
  toWireJob,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { checkpointsText } from '@kit-run/kit/text/checkpoints-text';

export class Checkpoints extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'List the runs that can go on.';
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    limit: Flags.integer({ default: 10, min: 1, max: 1000, description: 'At most this many, newest first.' }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Checkpoints);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const checkpoints = await this.kit.runs.checkpoints({ workspace, limit: flags.limit });
    if (checkpoints.length === 0) await this.noticeUnread();
    // A workspace that was found from here is found again where the line is pasted.
    const named = flags.workspace ?? args.workspace ?? '';
    this.log(checkpointsText(checkpoints, { ...listView(this.settings, flags.color), workspace: named }));
    return {
      checkpoints: checkpoints.map(({ job, steps, blocked, blockedInFleet }) => ({
        ...toWireJob(job),
        steps,
        blocked,
        blocked_in_fleet: blockedInFleet,
      })),
    };
  }
}
