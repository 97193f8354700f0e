import { colorFlag, Flags, KitCommand, listView, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { statusToWire } from '../status-to-wire.js';

export class Status extends KitCommand {
  static override summary = 'List the newest runs: how they stand, how long they took, what they used.';
  static override description =
    'TIME is wall time from the first claim to the end, waiting included, or until now. ISSUES counts failed and denied calls and agents that did not end well.';
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    last: Flags.integer({
      char: 'n',
      default: 5,
      min: 1,
      max: 1000,
      description: 'How many runs, newest first.',
      helpValue: 'N',
    }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Status);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const runs = await this.kit.observe.status({ workspace, limit: flags.last });
    if (runs.length === 0) this.log('nothing was ever run in this workspace');
    else if (!this.jsonEnabled()) {
      const { statusText } = await this.renderers.observe();
      this.log(statusText(runs, listView(this.settings, flags.color)));
    }
    return { runs: runs.map(statusToWire) };
  }
}
