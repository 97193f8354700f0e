import {
  Args,
  Flags,
  identityFlag,
  runFilterFlags,
  runFilterOf,
  trustFlag,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { FollowCommand } from '../follow-command.js';
import { anewFlag } from '../resume-flag.js';
import { noRunNamed } from '../runs-command.js';

export class Resume extends FollowCommand {
  static override summary = 'Resume a stopped run here, or every stopped run that matches the filters.';
  static override description =
    'The same as kit run --resume. With filters kit shows the number of runs and asks first, then resumes one after the other. Exit codes are those of kit run; for several runs, that of the first that did not complete.';
  static override examples = [
    '<%= config.bin %> resume 4f2a',
    '<%= config.bin %> resume --topology release --since 2h',
  ];
  static override args = {
    run: Args.string({ description: 'Run id or a unique prefix.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    ...runFilterFlags,
    as: identityFlag('Identity that asks (default: the OS user).'),
    trust: trustFlag,
    anew: anewFlag(),
    yes: Flags.boolean({ char: 'y', description: 'Do not ask.' }),
    quiet: Flags.boolean({ char: 'q', description: 'Show only the result.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Resume);
    const filter = runFilterOf(flags);
    if (args.run === undefined && filter === null) throw noRunNamed('resume');
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const by = whoActs(this.settings, flags.as).identity;
    const given = flags.workspace ?? args.workspace ?? null;
    const goOn = async (job: string): Promise<unknown> => {
      const ask = { workspace, job, topology: null, by, trust: flags.trust ?? [], anew: flags.anew };
      const handle = await this.kit.runs.resume(ask);
      return this.follow({ handle, by, quiet: flags.quiet, directory: workspace, workspace: given });
    };
    if (args.run !== undefined) return goOn(args.run);
    const jobs = await this.chosenRuns('resume', { workspace, filter, isSure: flags.yes });
    return this.each(jobs, ({ id }) => goOn(id));
  }
}
