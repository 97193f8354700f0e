import {
  Args,
  answerText,
  colorFlag,
  Flags,
  KitCommand,
  namedOrNewest,
  osUser,
  pastePlace,
  runAndWorkspace,
  showPage,
  toWireGate,
  toWireItem,
  toWireJob,
  toWireSituation,
  webFlag,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { whyText } from '@kit-run/kit/text/why-text';
import { reviewView } from '../review-flags.js';

export class Why extends KitCommand {
  static override summary =
    'Explain the state of a run or a gate: what it waits for, who can act, and with which command.';
  static override args = {
    what: Args.string({ description: 'Id of a run or gate, or its beginning (default: the newest run).' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    explain: Flags.boolean({ description: 'Let a model explain the facts, in a run of its own.' }),
    web: webFlag(['explain']),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Why);
    const place = runAndWorkspace({ run: args.what, workspace: args.workspace }, this.settings.cwd);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: place.workspace });
    const asked = { workspace, named: place.run, notice: (text: string) => this.logToStderr(text) };
    const { identity } = whoActs(this.settings, undefined);
    const report = await this.kit.review.why({ workspace, what: await namedOrNewest(this.kit, asked), identity });
    if (flags.web)
      return showPage(
        { kit: this.kit, browser: this.browser, out: this },
        { workspace, page: ({ run }) => run(report.job.id), opens: true },
      );
    if (!this.jsonEnabled()) {
      this.log(
        whyText(report, reviewView(this.settings, { color: flags.color, named: flags.workspace ?? place.workspace })),
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
    const named = pastePlace(this.settings, flags.workspace ?? place.workspace);
    return {
      ...(explained === null
        ? {}
        : { explanation: { answer: explained.answer, problem: explained.problem, run_id: explained.runId } }),
      job: toWireJob(job),
      situation: toWireSituation(report.situation, report.facts, named),
      reasons,
      gates: gates.map((gate) => toWireGate(gate, named)),
      items: items.map(toWireItem),
    };
  }
}
