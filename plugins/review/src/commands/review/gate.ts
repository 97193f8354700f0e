import {
  Args,
  colorFlag,
  Flags,
  identityFlag,
  KitCommand,
  LOCAL_AUTH,
  pastePlace,
  toWireAsked,
  toWireGate,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { askedGateText } from '@kit-run/kit/text/gate-text';
import { reviewView, whoLine } from '../../review-flags.js';

export class ReviewGate extends KitCommand {
  static override summary = 'Show a gate: the question, the artifact, who decided, who can act, and what blocks it.';
  static override args = {
    gate: Args.string({ required: true, description: 'Gate id: RUN:AGENT.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    author: Flags.string({
      description: 'Show the gate as if this identity had submitted the run; decisions are not changed.',
      helpValue: 'IDENTITY',
    }),
    as: identityFlag(
      'Identity whose rights are shown (default: KIT_IDENTITY, `kit config set identity`, the OS user).',
    ),
    full: Flags.boolean({ description: 'Show the input in full.' }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ReviewGate);
    const who = whoActs(this.settings, flags.as);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const gate = await this.kit.review.gate({
      workspace,
      gate: args.gate,
      author: flags.author ?? null,
      viewer: { identity: who.identity, auth: LOCAL_AUTH },
      isWhole: flags.full,
    });
    if (!this.jsonEnabled()) {
      this.log(whoLine(who));
      this.log(
        askedGateText(
          gate,
          reviewView(this.settings, { color: flags.color, named: flags.workspace ?? args.workspace }),
        ),
      );
    }
    return {
      ...toWireGate(gate, pastePlace(this.settings, flags.workspace ?? args.workspace)),
      ...(gate.asked === null ? {} : toWireAsked(gate.asked)),
    };
  }
}
