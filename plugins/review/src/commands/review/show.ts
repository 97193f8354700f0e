import {
  Args,
  colorFlag,
  Flags,
  identityFlag,
  KitCommand,
  LOCAL_DOOR,
  toWireAsked,
  toWireGate,
  toWireItem,
  toWireJob,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { reviewView, whoLine } from '../../review-flags.js';

export class ReviewShow extends KitCommand {
  static override summary = 'Show one review item: what is asked, and its gate.';
  static override args = {
    item: Args.string({ required: true, description: 'Item id or a unique prefix.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    as: identityFlag(
      'Who looks: whether they can decide is said (default: KIT_IDENTITY, `kit config set identity`, the OS user).',
    ),
    full: Flags.boolean({ description: 'The whole input, however long it is.' }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ReviewShow);
    const who = whoActs(this.settings, flags.as);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const details = await this.kit.review.show({
      workspace,
      item: args.item,
      viewer: { identity: who.identity, door: LOCAL_DOOR },
      isWhole: flags.full,
    });
    if (!this.jsonEnabled()) {
      this.log(whoLine(who));
      const { itemText } = await this.renderers.review();
      this.log(
        itemText(details, reviewView(this.settings, { color: flags.color, named: flags.workspace ?? args.workspace })),
      );
    }
    const { item, gate, job, asked } = details;
    const request = asked === null ? {} : toWireAsked(asked);
    return {
      item: { ...toWireItem(item), ...request },
      gate: gate === null ? null : toWireGate(gate),
      job: toWireJob(job),
    };
  }
}
