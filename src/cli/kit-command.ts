import { resolve } from 'node:path';
import { Command } from '@oclif/core/command';
import type { App } from '../app/app.js';
import { KitError } from '../domain/errors.js';
import { addressedHint } from './addressed-hint.js';
import { withLikelyWord } from './misspelt.js';
import { describeError, type Problem, renderError, toErrorLine } from './problem.js';
import type { Renderers } from './renderers.js';

/** 0 done, 1 failed or invalid, 2 usage or refused start, 3 parked, 4 stopped, 130 interrupted twice (DESIGN section 8). */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/** What boot read of the process, once; commands and rooms below never read the environment themselves. */
export interface ProcessSettings {
  /** KIT_VERBOSE: stacks of errors. */
  readonly verbose: boolean;
  /** KIT_QUIET: no progress on stderr. */
  readonly quiet: boolean;
  /** TRACEPARENT, as it is set; null when unset or empty. What is submitted hangs below it. */
  readonly traceParent: string | null;
  /** KIT_WORKSPACE; null when unset or empty. */
  readonly workspace: string | null;
  readonly cwd: string;
  /** What paths for CI are relative to: GITHUB_WORKSPACE when the current directory lies in it, else the current directory. */
  readonly repositoryDir: string;
  /** NO_COLOR is set, or stdout is no terminal. */
  readonly noColor: boolean;
  /** CI is set: plain lines instead of a live tree. */
  readonly ci: boolean;
  /** TERM is `dumb`: the terminal cannot move its cursor. */
  readonly isDumbTerminal: boolean;
  readonly stdinIsTty: boolean;
  readonly stdoutIsTty: boolean;
  readonly stderrIsTty: boolean;
}

/** What happens when nobody reads stdout any more. */
export interface StdoutGuard {
  /** Aborts when a write found the reading end closed. */
  readonly closed: AbortSignal;
  /** From now on a closed stdout does not end the process. */
  goOnWithout(): void;
}

/** What boot hands to every command through oclif's load options. */
export interface CliHost {
  /** The front door; built at the first call. */
  readonly kit: () => App;
  readonly settings: ProcessSettings;
  readonly stdout: StdoutGuard;
  /** What shows text; each part costs nothing before it is asked for. */
  readonly renderers: Renderers;
}

/**
 * Base of every command. Owns how errors become text and exit codes; with `--json` stdout carries one JSON value a line and
 * the last is `{"type": "result" | "error", ...}`. Outcomes that are no error (parked, stopped) call `exitWith` and return.
 */
export abstract class KitCommand extends Command {
  static override enableJsonFlag = true;

  /** The workspace as it was named on the command line; null when it was not, or is the current directory. */
  #named: string | null = null;

  /** The use cases. Throws KIT_INTERNAL when the command was not started by kit. */
  protected get kit(): App {
    return this.host.kit();
  }

  protected get settings(): ProcessSettings {
    return this.host.settings;
  }

  /** For work that must not be cut off when the reader of stdout goes away (default: the process ends quietly with 0). */
  protected get stdout(): StdoutGuard {
    return this.host.stdout;
  }

  /** What shows values as text. */
  protected get renderers(): Renderers {
    return this.host.renderers;
  }

  private get host(): CliHost {
    const options: object = this.config.options;
    if (!('kit' in options && 'settings' in options)) throw new KitError('KIT_INTERNAL', 'this command was started outside kit');
    return options as CliHost; // boot passes it as a load option; oclif types its own options alone
  }

  /** Absolute directory: option, positional, KIT_WORKSPACE, current directory (gaps K4). */
  protected workspaceDir(given: { readonly flag?: string | undefined; readonly arg?: string | undefined }): string {
    const { cwd, workspace } = this.settings;
    const named = given.flag ?? given.arg;
    this.#named = named === undefined || resolve(cwd, named) === cwd ? null : named;
    return resolve(cwd, named ?? workspace ?? cwd);
  }

  /**
   * Asks yes or no on stderr; Ctrl-C and Ctrl-D mean no. Without a terminal on stdin nothing is asked: throws `refusal`, whose
   * hint names the flag that answers (gaps K21).
   */
  protected async confirm(question: string, refusal: KitError): Promise<boolean> {
    if (!this.settings.stdinIsTty) throw refusal;
    const { createInterface } = await import('node:readline/promises');
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
    } catch (error) {
      if (!(error instanceof Error && error.name === 'AbortError')) throw error;
      process.stderr.write('\n');
      return false;
    } finally {
      terminal.close();
    }
  }

  /** Sets the exit code of a result that is neither success nor error. */
  protected exitWith(code: ExitCode): void {
    process.exitCode = code;
  }

  /** One JSON value a line, also in between: streaming commands call it for each event. */
  override logJson(json: unknown): void {
    process.stdout.write(`${JSON.stringify(json)}\n`);
  }

  override toSuccessJson(result: unknown): unknown {
    const isPlainObject = typeof result === 'object' && result !== null && !Array.isArray(result);
    return isPlainObject ? { ...result, type: 'result' } : { type: 'result', value: result ?? null };
  }

  override toErrorJson(error: unknown): unknown {
    return toErrorLine(this.#addressed(describeError(error)));
  }

  /** A command of a hint, pasted as it stands, looks into the workspace in which this one looked. */
  #addressed(problem: Problem): Problem {
    return problem.hint === null ? problem : { ...problem, hint: addressedHint(problem.hint, this.#named) };
  }

  protected override async catch(error: unknown): Promise<void> {
    const { flags, baseFlags, args } = this.ctor;
    const problem = this.#addressed(describeError(withLikelyWord(error, { flags: { ...baseFlags, ...flags }, args })));
    process.exitCode = problem.exit;
    if (problem.silent) return;
    if (this.jsonEnabled()) this.logJson(toErrorLine(problem));
    else process.stderr.write(renderError(problem, { verbose: this.settings.verbose }));
  }

  protected override async _run<T>(): Promise<T> {
    const failures: unknown[] = [];
    const report = this.catch.bind(this);
    this.catch = async (error) => {
      failures.push(error);
      await report(error);
    };
    const result = await super._run<T>();
    // oclif writes the last line for truthy results only
    if (!result && failures.length === 0 && this.jsonEnabled()) this.logJson(this.toSuccessJson(result));
    return result;
  }
}
