import {
  colorFlag,
  Flags,
  identityFlag,
  KitCommand,
  LOCAL_AUTH,
  toWireAsked,
  toWireElsewhere,
  toWireItem,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { itemsText } from '@kit-run/kit/text/item-text';
import { reviewView, whoLine } from '../../review-flags.js';

export class ReviewList extends KitCommand {
  static override summary = 'List what waits for a decision, oldest first.';
  static override examples = ['<%= config.bin %> review list', '<%= config.bin %> review list --kind role_task --json'];
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    kind: Flags.option({
      options: ['permission', 'input', 'role_task', 'other'] as const,
      description: 'Only items of this kind.',
    })(),
    gate: Flags.string({ description: 'Only items of this gate.', helpValue: 'GATE' }),
    queue: Flags.string({
      description: 'Only items of the topologies that name this review queue.',
      helpValue: 'QUEUE',
    }),
    mine: Flags.boolean({ description: 'Only tasks of your roles, and items for anybody.' }),
    all: Flags.boolean({ description: 'Also decided, stale and withdrawn items.' }),
    limit: Flags.integer({
      char: 'n',
      default: 50,
      min: 1,
      max: 1000,
      description: 'At most this many.',
      helpValue: 'N',
    }),
    after: Flags.string({ description: 'Continue the list after this item.', helpValue: 'ITEM' }),
    as: identityFlag(
      'Identity whose rights are shown (default: KIT_IDENTITY, `kit config set identity`, the OS user).',
    ),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ReviewList);
    const who = whoActs(this.settings, flags.as);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const page = await this.kit.review.list({
      workspace,
      kind: flags.kind ?? null,
      gate: flags.gate ?? null,
      queue: flags.queue ?? null,
      show: flags.all ? 'all' : 'pending',
      limit: flags.limit,
      afterId: flags.after ?? null,
      isMine: flags.mine,
      viewer: { identity: who.identity, auth: LOCAL_AUTH },
    });
    if (!this.jsonEnabled()) {
      this.log(whoLine(who));
      const view = reviewView(this.settings, { color: flags.color, named: flags.workspace ?? args.workspace });
      this.log(itemsText(page, { ...view, all: flags.all, mine: flags.mine }));
      if (page.total === 0) await this.noticeUnread();
    }
    const items = page.items.map((item) => {
      const asked = page.asked.get(item.id);
      return { ...toWireItem(item), ...(asked === undefined ? {} : toWireAsked(asked)) };
    });
    return { items, total: page.total, has_more: page.hasMore, elsewhere: toWireElsewhere(page.elsewhere) };
  }
}
