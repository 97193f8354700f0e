import {
  Args,
  Flags,
  identityFlag,
  onlyHere,
  trustFlag,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { FollowCommand } from '../../follow-command.js';

export class DebugFork extends FollowCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Run a run again from one of its steps, as a new run.';
  static override description =
    'Steps before it keep their results; the step and all later ones run again, and people are asked again. The original run is not changed. `kit debug RUN` lists the steps. Exit codes are those of kit run.';
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
    return this.follow({
      handle,
      by,
      quiet: flags.quiet,
      directory: workspace,
      workspace: flags.workspace ?? args.workspace ?? null,
    });
  }
}
