import { KitCommand, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { triggerLines } from '../../trigger-lines.js';
import { toWireTrigger } from '../../wire.js';

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
    return { triggers: triggers.map(toWireTrigger) };
  }
}
