import { colorFlag, KitCommand, listView, onlyHere, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { adapterJson } from '@kit-run/kit/text/adapters-json';
import { adaptersText } from '@kit-run/kit/text/adapters-text';

export class AdaptersList extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'List the coding harnesses that agents can delegate to.';
  static override description =
    'Lists the adapters of kit and of the workspace: where the program is on this machine, its version, and whether its start is approved. A program that NEEDS REVIEW is located and never started.';
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag, color: colorFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AdaptersList);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const rows = await this.kit.adapters.list({ workspace });
    this.log(adaptersText(rows, listView(this.settings, flags.color)));
    return { adapters: rows.map(adapterJson) };
  }
}
