import {
  Args,
  answerText,
  colorFlag,
  Flags,
  KitCommand,
  osUser,
  toWireGate,
  toWireItem,
  toWireJob,
  toWireSituation,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { reviewView } from '../review-flags.js';

export class Why extends KitCommand {
  static override summary =
    'Say why a run or a gate stands where it stands: what it waits for, who can act, what nobody can do.';
  static override args = {
    what: Args.string({ required: true, description: 'Run id, a unique prefix of one, or a gate id.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    explain: Flags.boolean({ description: 'Let a model put the facts into words, in a run of its own.' }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Why);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const report = await this.kit.review.why({ workspace, what: args.what });
    if (!this.jsonEnabled()) {
      const { whyText } = await this.renderers.review();
      this.log(
        whyText(report, reviewView(this.settings, { color: flags.color, named: flags.workspace ?? args.workspace })),
      );
    }
    const { job, gates, items, reasons } = report;
    const explained = flags.explain
      ? await this.kit.ask.ask({
          workspace,
          question: `Why does run ${job.id} stand where it stands, and who can do what about it?`,
          run: job.id,
          offline: false,
          submittedBy: { identity: osUser(), assurance: 'asserted' },
        })
      : null;
    if (explained !== null && !this.jsonEnabled()) this.log(`\n${answerText({ ...explained, facts: [] })}`);
    const named = flags.workspace ?? args.workspace ?? '';
    return {
      ...(explained === null
        ? {}
        : { explanation: { answer: explained.answer, problem: explained.problem, run_id: explained.runId } }),
      job: toWireJob(job),
      situation: toWireSituation(report.situation, report.facts, named),
      reasons,
      gates: gates.map((gate) => toWireGate(gate)),
      items: items.map(toWireItem),
    };
  }
}
