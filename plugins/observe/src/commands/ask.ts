import {
  type Answer,
  Args,
  answerText,
  Flags,
  identityFlag,
  KitCommand,
  onlyHere,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';

export class Ask extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Ask a model a question about a workspace and its recorded runs.';
  static override description =
    'The answer is a run of its own, on the model of the entry agent, without tools. It says when evidence is missing. Without a model, and with --offline, kit shows the facts alone.';
  static override args = {
    question: Args.string({ required: true, description: 'The question.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    run: Flags.string({ char: 'r', description: 'About this run: its id or a unique prefix.', helpValue: 'RUN' }),
    offline: Flags.boolean({ description: 'Call no model; show the facts.' }),
    as: identityFlag('Identity that submits the run (default: the OS user).'),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Ask);
    const answer: Answer = await this.kit.ask.ask({
      workspace: this.workspaceDir({ flag: flags.workspace, arg: args.workspace }),
      question: args.question,
      run: flags.run ?? null,
      offline: flags.offline,
      submittedBy: { identity: whoActs(this.settings, flags.as).identity, assurance: 'asserted' },
    });
    if (!this.jsonEnabled()) this.log(answerText(answer));
    await this.noticeUnread();
    return {
      answer: answer.answer,
      problem: answer.problem,
      run_id: answer.runId,
      missing: answer.missing,
      facts: answer.facts,
    };
  }
}
