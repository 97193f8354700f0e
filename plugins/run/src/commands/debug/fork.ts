import { Args, Flags, identityFlag, trustFlag, whoActs, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { BranchCommand } from '../../branch-command.js';

export class DebugFork extends BranchCommand {
  static override summary = 'Run the tail of a run anew from one of its steps, in a run of its own.';
  static override description =
    'What was finished before the step is taken over; the step and what follows run again. People are asked again. The source is not touched. Steps: kit debug RUN. Exit codes are those of kit run.';
  static override args = {
    run: Args.string({ required: true, description: 'Run id or a unique prefix.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    from: Flags.string({ required: true, description: 'Step that runs first.', helpValue: 'STEP' }),
    as: identityFlag('Identity that submits the fork (default: the OS user).'),
    trust: trustFlag,
    quiet: Flags.boolean({ char: 'q', description: 'Show only the result.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DebugFork);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const by = whoActs(this.settings, flags.as).identity;
    const handle = await this.kit.runs.fork({
      workspace,
      job: args.run,
      from: flags.from,
      by,
      trust: flags.trust ?? [],
    });
    return this.follow({ handle, by, quiet: flags.quiet, workspace: flags.workspace ?? args.workspace ?? null });
  }
}
