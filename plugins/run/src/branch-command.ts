import { followHandle, KitCommand, openScreen, type RunHandle, toWireJob, whoActs } from '@kit-run/kit/command';
import { exitOf } from './exit-code.js';

/** A run that goes on from another one, and how it is shown. */
export interface BranchShown {
  readonly handle: RunHandle;
  /** Who asked for it: Ctrl-C stops it in this name. */
  readonly by: string;
  readonly quiet: boolean;
  /** As it was given on the command line; null = it was not. */
  readonly workspace: string | null;
}

/** A command that makes a run of its own from another one, and stays with it. */
export abstract class BranchCommand extends KitCommand {
  /** Shows the run line by line until it ends or parks; the exit code is that of `kit run`. */
  protected async follow(of: BranchShown): Promise<unknown> {
    const { eventLine, runSummary, goOn } = await this.renderers.run();
    this.stdout.goOnWithout();
    const isJson = this.jsonEnabled();
    const quiet = of.quiet || this.settings.quiet;
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
    const followed = await followHandle({ handle: of.handle, afterSeq: 0, by: of.by, screen, events: this.io.events });
    if (!isJson) {
      const workspaceArgument = of.workspace ?? '';
      const self = whoActs(this.settings, undefined).identity;
      const options = {
        verbose: false,
        hasTree: false,
        workspaceArgument,
        goOn: await goOn(followed.job, { workspaceArgument, self }),
      };
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
