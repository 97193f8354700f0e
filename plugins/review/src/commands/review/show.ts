import {
  Args,
  colorFlag,
  KitCommand,
  toWireGate,
  toWireItem,
  toWireJob,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { reviewView } from '../../review-flags.js';

export class ReviewShow extends KitCommand {
  static override summary = 'Show one review item, with its gate.';
  static override args = {
    item: Args.string({ required: true, description: 'Item id or a unique prefix.' }),
    workspace: workspaceArg,
  };
  static override flags = { workspace: workspaceFlag, color: colorFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ReviewShow);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const details = await this.kit.review.show({ workspace, item: args.item });
    if (!this.jsonEnabled()) {
      const { itemText } = await this.renderers.review();
      this.log(
        itemText(details, reviewView(this.settings, { color: flags.color, named: flags.workspace ?? args.workspace })),
      );
    }
    const { item, gate, job } = details;
    return { item: toWireItem(item), gate: gate === null ? null : toWireGate(gate), job: toWireJob(job) };
  }
}
