import { Args, colorFlag, KitCommand, toWireGate, toWireItem, toWireJob, toWireSituation, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { reviewView } from '../review-flags.js';

export class Why extends KitCommand {
  static override summary = 'Say why a run or a gate stands where it stands: what it waits for, who can act, what nobody can do.';
  static override args = {
    what: Args.string({ required: true, description: 'Run id, a unique prefix of one, or a gate id.' }),
    workspace: workspaceArg,
  };
  static override flags = { workspace: workspaceFlag, color: colorFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Why);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const report = await this.kit.review.why({ workspace, what: args.what });
    if (!this.jsonEnabled()) {
      const { whyText } = await this.renderers.review();
      this.log(whyText(report, reviewView(this.settings, { color: flags.color, named: flags.workspace ?? args.workspace })));
    }
    const { job, gates, items, reasons } = report;
    const named = flags.workspace ?? args.workspace ?? '';
    return {
      job: toWireJob(job),
      situation: toWireSituation(report.situation, report.facts, named),
      reasons,
      gates: gates.map((gate) => toWireGate(gate)),
      items: items.map(toWireItem),
    };
  }
}
