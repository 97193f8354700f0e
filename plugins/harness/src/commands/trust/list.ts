import { colorFlag, KitCommand, listView, workspaceArg, workspaceFlag } from '@kit-run/kit/command';

export class TrustList extends KitCommand {
  static override summary = 'List how often people approved calls of coding harnesses.';
  static override description =
    'By archetype and by what a call does. Enough approvals of other people than whoever submitted the run propose an entry of `permissions`; one denial resets and blocks. Nothing is applied by itself.';
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag, color: colorFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(TrustList);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const rows = await this.kit.trust.list({ workspace });
    const { trustText, trustJson } = await this.renderers.trust();
    this.log(trustText(rows, listView(this.settings, flags.color)));
    return { trust: rows.map(trustJson) };
  }
}
