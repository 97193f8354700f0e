import {
  Args,
  identityFlag,
  KitCommand,
  type StopReport,
  shellWord,
  toWireJob,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';

export class Stop extends KitCommand {
  static override summary = 'Ask a run to stop: calls of models are given up, other steps in flight end first.';
  static override args = {
    run: Args.string({ required: true, description: 'Run id or a unique prefix.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    as: identityFlag('Identity that asks (default: the OS user).'),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Stop);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const report = await this.kit.runs.stop({
      workspace,
      job: args.run,
      by: `cli:${whoActs(this.settings, flags.as).identity}`,
    });
    this.log(describe(report, args.workspace ?? flags.workspace ?? '.'));
    return { outcome: report.outcome, already_requested: report.alreadyRequested, job: toWireJob(report.job) };
  }
}

function describe({ job, outcome, alreadyRequested }: StopReport, workspace: string): string {
  const resume = `kit run ${shellWord(workspace)} ${job.topology} --resume=${job.id}`;
  switch (outcome) {
    case 'finished':
      return `run ${job.id} is ${job.status}; there is nothing to stop`;
    case 'stopped':
      return `run ${job.id} is stopped; go on with: ${resume}`;
    case 'requested':
      return alreadyRequested
        ? `run ${job.id} was already asked to stop at ${job.stopRequestedAt ?? 'an earlier time'}`
        : `run ${job.id} stops once its steps in flight have ended, calls of models at once; go on with: ${resume}`;
  }
}
