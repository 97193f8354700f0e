import { Args, colorFlag, KitCommand, listView, onlyHere, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { adapterDetailsJson } from '@kit-run/kit/text/adapters-json';
import { adapterText } from '@kit-run/kit/text/adapters-text';

export class AdaptersShow extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Show what an adapter starts, what it reads, and who approved it.';
  static override description =
    'The fingerprint is the SHA-256 of the whole spec, because each of its keys can change what is executed.';
  static override args = {
    adapter: Args.string({ required: true, description: 'Id of the adapter, as `adapters list` shows it.' }),
    workspace: workspaceArg,
  };
  static override flags = { workspace: workspaceFlag, color: colorFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AdaptersShow);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const details = await this.kit.adapters.show({ workspace, id: args.adapter });
    const { color } = listView(this.settings, flags.color);
    this.log(adapterText(details, { color, workspaceArgument: flags.workspace ?? args.workspace ?? '' }));
    return adapterDetailsJson(details);
  }
}
