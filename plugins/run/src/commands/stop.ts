import {
  Args,
  Flags,
  identityFlag,
  runFilterFlags,
  runFilterOf,
  toWireJob,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { stopText } from '@kit-run/kit/text/stop-text';
import { noRunNamed, RunsCommand } from '../runs-command.js';

export class Stop extends RunsCommand {
  static override summary = 'Stop a run: model calls are aborted, other running steps finish first.';
  static override description = 'With filters: every run that matches; kit shows their number and asks first.';
  static override examples = [
    '<%= config.bin %> stop 4f2a',
    '<%= config.bin %> stop --status running --topology nightly',
  ];
  static override args = {
    run: Args.string({ description: 'Run id or a unique prefix.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    ...runFilterFlags,
    yes: Flags.boolean({ char: 'y', description: 'Do not ask.' }),
    as: identityFlag('Identity that asks (default: the OS user).'),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Stop);
    const filter = runFilterOf(flags);
    if (args.run === undefined && filter === null) throw noRunNamed('stop');
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const stop = async (job: string): Promise<unknown> => {
      const by = `cli:${whoActs(this.settings, flags.as).identity}`;
      const report = await this.kit.runs.stop({ workspace, job, by });
      this.log(stopText(report, flags.workspace ?? args.workspace ?? ''));
      return { outcome: report.outcome, already_requested: report.alreadyRequested, job: toWireJob(report.job) };
    };
    if (args.run !== undefined) return stop(args.run);
    const jobs = await this.chosenRuns('stop', { workspace, filter, isSure: flags.yes });
    const runs: unknown[] = [];
    for (const { id } of jobs) runs.push(await stop(id));
    return { runs };
  }
}
