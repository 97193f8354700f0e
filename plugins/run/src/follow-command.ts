import {
  type ExitCode,
  followHandle,
  isKitError,
  type Job,
  type OpenLiveRun,
  openScreen,
  pastePlace,
  type RunHandle,
  toWireGate,
  toWireItem,
  toWireJob,
  waitingOf,
  whoActs,
} from '@kit-run/kit/command';
import { eventLine } from '@kit-run/kit/text/event-line';
import { goOn } from '@kit-run/kit/text/go-on';
import { runSummary } from '@kit-run/kit/text/run-summary';
import { exitOf } from './exit-code.js';
import { RunsCommand } from './runs-command.js';

/** A run that this process carries out, and how it is shown. */
export interface ShownRun {
  readonly handle: RunHandle;
  /** Who asked for it: Ctrl-C stops it in this name. */
  readonly by: string;
  readonly quiet: boolean;
  /** Default: false. */
  readonly verbose?: boolean;
  /** `--color`; absent: as the terminal and NO_COLOR say. */
  readonly color?: boolean | undefined;
  /** Null or absent: plain lines. */
  readonly live?: Promise<OpenLiveRun | null>;
  /** Of the workspace, absolute. */
  readonly directory: string;
  /** As it was given on the command line; null = it was not. */
  readonly workspace: string | null;
  /** A parked run exits with 0. Default: false. */
  readonly isParkedDone?: boolean;
}

/** A command that begins a run, or goes on with one, and stays with it. */
export abstract class FollowCommand extends RunsCommand {
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

  /** Shows the run until it ends or parks, and sets the exit code. */
  protected async follow(of: ShownRun): Promise<Readonly<Record<string, unknown>>> {
    // Paid work is not cut off because `head` has read enough.
    this.stdout.goOnWithout();
    const { handle, by, verbose = false, color = !this.settings.noColor } = of;
    const stderrColor = of.color ?? (color && this.settings.stderrIsTty);
    const quiet = of.quiet || this.settings.quiet;
    const isJson = this.jsonEnabled();
    const openLive = (await of.live) ?? null;
    const logJson = (value: unknown): void => this.logJson(value);
    const screen = openScreen({
      stderr: this.io.stderr,
      isJson,
      quiet,
      verbose,
      color: stderrColor,
      readsKeys: this.settings.stdinIsTty,
      openLive,
      eventLine,
      logJson,
    });
    const followed = await followHandle({ handle, afterSeq: 0, by, screen, events: this.io.events });
    const { job, view } = followed;
    const waiting = await waitingOf(job, {
      workspace: of.directory,
      review: this.kit.review,
      // Also under --json, where the result cannot say it.
      warn: (text) => this.io.stderr.write(`warning: ${text}\n`),
    });
    const workspaceArgument = pastePlace(this.settings, of.workspace);
    if (!isJson) {
      const self = whoActs(this.settings, undefined).identity;
      const options = {
        verbose,
        hasTree: openLive !== null,
        workspaceArgument,
        goOn: await goOn(job, { workspaceArgument, self }),
        ...(waiting === null ? {} : { waiting }),
      };
      const output = runSummary(view, job, { ...options, color, quiet: true });
      if (output !== '') this.io.stdout.write(`${output}\n`);
      const rest = runSummary(view, { ...job, output: null }, { ...options, color: stderrColor, quiet: false });
      // Why a run is not done is its result: also with --quiet.
      if (!quiet || job.status !== 'completed') this.io.stderr.write(`${rest}\n`);
    }
    this.exitWith(exitOf(followed, of.isParkedDone ?? false));
    if (waiting === null) return { ...toWireJob(job) };
    const gates = waiting.gates.map((gate) => toWireGate(gate, workspaceArgument));
    return { ...toWireJob(job), gates, items: waiting.items.map(toWireItem) };
  }
}
