import { colorFlag, KitCommand, listView, onlyHere, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { trustJson, trustText } from '@kit-run/kit/text/trust-text';

export class TrustList extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'List how often people approved calls of coding harnesses.';
  static override description =
    'Counts by archetype and by kind of call. Enough approvals by people other than the submitter lead to a proposed entry of `permissions`; one denial resets and blocks the count. `kit trust apply` writes an entry; nothing is applied automatically.';
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag, color: colorFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(TrustList);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const rows = await this.kit.trust.list({ workspace });
    this.log(trustText(rows, listView(this.settings, flags.color)));
    return { trust: rows.map(trustJson) };
  }
}
