import {
  type ExitCode,
  followHandle,
  isKitError,
  type Job,
  openScreen,
  pastePlace,
  type RunHandle,
  toWireJob,
  waitingOf,
  whoActs,
} from '@kit-run/kit/command';
import { eventLine } from '@kit-run/kit/text/event-line';
import { goOn } from '@kit-run/kit/text/go-on';
import { runSummary } from '@kit-run/kit/text/run-summary';
import { exitOf } from './exit-code.js';
import { RunsCommand } from './runs-command.js';
import { waitingToWire } from './waiting-to-wire.js';

/** A run that goes on from another one, and how it is shown. */
export interface BranchShown {
  readonly handle: RunHandle;
  /** Who asked for it: Ctrl-C stops it in this name. */
  readonly by: string;
  readonly quiet: boolean;
  /** Of the workspace, absolute. */
  readonly directory: string;
  /** As it was given on the command line; null = it was not. */
  readonly workspace: string | null;
}

/** A command that makes a run of its own from another one, and stays with it. */
export abstract class BranchCommand extends RunsCommand {
  /**
   * One after the other; the exit code is that of the first that is not 0. What refuses one run is
   * told, and the next one is begun.
   */
  protected async each(jobs: readonly Job[], begin: (job: Job) => Promise<unknown>): Promise<unknown> {
    const results: unknown[] = [];
    let first: ExitCode | null = null;
    for (const job of jobs) {
      this.exitWith(0);
      try {
        results.push(await begin(job));
      } catch (error) {
        if (!isKitError(error)) throw error;
        this.logToStderr(`run ${job.id}: ${error.message}`);
        results.push({ id: job.id, error: { code: error.code, message: error.message } });
        this.exitWith(1);
      }
      const code = this.io.exitCode as ExitCode;
      if (code !== 0) first ??= code;
      // Whoever pressed Ctrl-C begins nothing more.
      if (code === 4 || code === 130) break;
    }
    this.exitWith(first ?? 0);
    return { runs: results };
  }

  /** Shows the run line by line until it ends or parks; the exit code is that of `kit run`. */
  protected async follow(of: BranchShown): Promise<unknown> {
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
    const waiting = await waitingOf(followed.job, {
      workspace: of.directory,
      review: this.kit.review,
      warn: (text) => this.logToStderr(`warning: ${text}`),
    });
    const workspaceArgument = pastePlace(this.settings, of.workspace);
    if (!isJson) {
      const self = whoActs(this.settings, undefined).identity;
      const options = {
        verbose: false,
        hasTree: false,
        workspaceArgument,
        goOn: await goOn(followed.job, { workspaceArgument, self }),
        ...(waiting === null ? {} : { waiting }),
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
    return { ...toWireJob(followed.job), ...waitingToWire(waiting, workspaceArgument) };
  }
}
