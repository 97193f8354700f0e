import {
  Args,
  Flags,
  followHandle,
  identityFlag,
  identityOf,
  KitCommand,
  openScreen,
  toWireJob,
  trustFlag,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { exitOf } from '../../exit-code.js';

export class DebugFork extends KitCommand {
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
    const by = identityOf(flags.as);
    const handle = await this.kit.runs.fork({
      workspace,
      job: args.run,
      from: flags.from,
      by,
      trust: flags.trust ?? [],
    });
    const { eventLine, runSummary } = await this.renderers.run();
    this.stdout.goOnWithout();
    const isJson = this.jsonEnabled();
    const quiet = flags.quiet || this.settings.quiet;
    const color = !this.settings.noColor && this.settings.stderrIsTty;
    const logJson = (value: unknown): void => this.logJson(value);
    const screen = openScreen({
      stderr: this.io.stderr,
      isJson,
      quiet,
      verbose: false,
      color,
      readsKeys: this.settings.stdinIsTty,
      openLive: null,
      eventLine,
      logJson,
    });
    const followed = await followHandle({ handle, afterSeq: 0, by, screen, events: this.io.events });
    if (!isJson) {
      const options = { verbose: false, hasTree: false, workspaceArgument: flags.workspace ?? args.workspace ?? '' };
      const output = runSummary(followed.view, followed.job, {
        ...options,
        color: !this.settings.noColor,
        quiet: true,
      });
      if (output !== '') this.io.stdout.write(`${output}\n`);
      this.io.stderr.write(
        `${runSummary(followed.view, { ...followed.job, output: null }, { ...options, color, quiet: false })}\n`,
      );
    }
    this.exitWith(exitOf(followed, false));
    return toWireJob(followed.job);
  }
}
