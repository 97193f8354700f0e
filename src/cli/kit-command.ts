import { format, inspect } from 'node:util';
import { Command } from '@oclif/core/command';
import type { ArgInput, FlagInput, Input, OutputArgs, OutputFlags, ParserOutput } from '@oclif/core/interfaces';
import type { App } from '../app/app.js';
import type { KitError } from '../domain/errors.js';
import { isObject } from '../lib/json.js';
import { visibleLines } from '../lib/shell-word.js';
import { addressedProblem } from './addressed-hint.js';
import { type Browser, type CliHost, cliHostOf } from './cli-host.js';
import { CommandPlace, severalBelow } from './command-place.js';
import { withLikelyWord, withoutEmptyWords } from './misspelt.js';
import { serverFlag } from './place-flags.js';
import { describeError, type Problem, renderError, toErrorLine } from './problem.js';
import type { ProcessIo, StdoutGuard } from './process-io.js';
import type { ProcessSettings } from './process-settings.js';
import type { Screens } from './screens.js';
import type { Parsed } from './server-place.js';
import { onSignals } from './stop-signals.js';

/**
 * 0 done, 1 failed or invalid, 2 usage or refused start, 3 parked, 4 stopped, 130 interrupted twice
 * (docs/design/decisions.md#exit-codes).
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

type ParsedFlags = OutputFlags<FlagInput>;
type ParsedArgs = OutputArgs<ArgInput>;

/**
 * Base of every command. Owns how errors become text and exit codes; with `--json` stdout carries
 * one JSON value a line and the last is `{"type": "result" | "error", ...}`. Outcomes that are no
 * error (parked, stopped) call `exitWith` and return.
 */
export abstract class KitCommand extends Command {
  static override enableJsonFlag = true;
  static override baseFlags: FlagInput = { server: serverFlag };

  readonly #place = new CommandPlace(() => this.host);

  /**
   * The use cases: of a directory, or of the server that was named. Throws KIT_INTERNAL when the
   * command was not started by kit.
   */
  protected get kit(): App {
    return this.#place.server?.app ?? this.host.kit();
  }

  /** At a server its word holds for who acts, and its address for where. */
  protected get settings(): ProcessSettings {
    const { settings } = this.host;
    const { server } = this.#place;
    if (server === null) return settings;
    const { address, identity, otherwise } = server;
    return { ...settings, server: address, identity: () => ({ identity, from: 'the server', otherwise }) };
  }

  /** Streams and signals; a command touches no other ones. */
  protected get io(): ProcessIo {
    return this.host.io;
  }

  /**
   * For work that must not be cut off when the reader of stdout goes away (default: the process
   * ends quietly with 0).
   */
  protected get stdout(): StdoutGuard {
    return this.host.stdout;
  }

  /** What takes the terminal; text is imported by whoever shows it. */
  protected get screens(): Screens {
    return this.host.screens;
  }

  private get host(): CliHost {
    return cliHostOf(this.config);
  }

  /**
   * Absolute directory: option, positional, KIT_WORKSPACE, else this one, the nearest above it or
   * the only one below it, told in the first line (docs/design/decisions.md#workspace-argument).
   */
  protected workspaceDir(given: { readonly flag?: string | undefined; readonly arg?: string | undefined }): string {
    return this.#place.take(given.flag ?? given.arg, (line) => this.logToStderr(line));
  }

  /** For who found no run: where was looked, and what lies beside it unread. */
  protected noRuns(): Promise<string> {
    return this.#place.noRuns();
  }

  /** Says where a store lies that this command did not look into; nothing where there is none. */
  protected async noticeUnread(): Promise<void> {
    const words = this.jsonEnabled() ? null : await this.#place.unread();
    if (words !== null) this.logToStderr(words);
  }

  /** Workspaces below the current directory, among which nobody chose; absolute. */
  protected get workspacesBelow(): readonly string[] {
    return severalBelow(this.#place.choice);
  }

  /**
   * Asks yes or no on stderr; Ctrl-C and Ctrl-D mean no. Without a terminal on stdin nothing is
   * asked: throws `refusal`, whose hint names the flag that answers
   * (docs/design/decisions.md#terminal).
   */
  protected async confirm(question: string, refusal: KitError): Promise<boolean> {
    return /^y(es)?$/i.test((await this.question(`${question} [y/N]`, refusal)) ?? '');
  }

  /**
   * Asks for one line on stderr, trimmed; null = Ctrl-C or Ctrl-D. Without a terminal on stdin
   * nothing is asked: throws `refusal`, whose hint names what answers
   * (docs/design/decisions.md#terminal).
   */
  protected async question(question: string, refusal: KitError): Promise<string | null> {
    if (!this.settings.stdinIsTty) throw refusal;
    return (await import('./ask-person.js')).askPerson(question, this.io, { isSecret: false });
  }

  /**
   * The same without an echo: for what nobody who looks on may read. Null = Ctrl-C or Ctrl-D.
   */
  protected async secret(question: string, refusal: KitError): Promise<string | null> {
    if (!this.settings.stdinIsTty) throw refusal;
    return (await import('./ask-person.js')).askPerson(question, this.io, { isSecret: true });
  }

  /** Pages that people look at, on their machine. */
  protected get browser(): Browser {
    return this.host.browser;
  }

  /** Sets the exit code of a result that is neither success nor error. */
  protected exitWith(code: ExitCode): void {
    this.io.exitCode = code;
  }

  /**
   * Gives a signal that aborts when somebody asks the process to go (SIGINT, SIGTERM, SIGHUP), for
   * as long as `work` takes.
   */
  protected async untilAsked<T>(work: (asked: AbortSignal) => Promise<T>): Promise<T> {
    const asked = new AbortController();
    const release = onSignals(this.io.events, () => asked.abort());
    try {
      return await work(asked.signal);
    } finally {
      release();
    }
  }

  /**
   * stdin holds the input of a run, never a positional: the parser would read it for the first one
   * that is missing, and nothing would be left of it.
   */
  protected override async parse<F extends ParsedFlags, B extends ParsedFlags, A extends ParsedArgs>(
    options?: Input<F, B, A>,
    argv = this.argv,
  ): Promise<ParserOutput<F, B, A>> {
    const shape = options ?? (this.ctor as Input<F, B, A>);
    // Mostly the class of the command: a spread leaves out what it inherits.
    const { flags, baseFlags, enableJsonFlag, args } = shape;
    const withoutStdin = Object.entries<object>(args ?? {}).map(([name, arg]) => [name, { ...arg, ignoreStdin: true }]);
    const inherited = { flags, baseFlags, enableJsonFlag, args: Object.fromEntries(withoutStdin) };
    const parsed = withoutEmptyWords(await super.parse({ ...shape, ...inherited } as Input<F, B, A>, argv));
    await this.#connect(parsed, shape.flags ?? {}, baseFlags?.server?.hidden === true);
    return parsed;
  }

  async #connect(parsed: Parsed, own: FlagInput, isOnlyHere: boolean): Promise<void> {
    // Whoever names no server loads nothing of it.
    const isNamed = parsed.flags.server !== undefined || this.host.settings.server !== null;
    const words = [parsed.flags.workspace, ...Object.values(parsed.args)];
    if (!isNamed && !words.some((word) => typeof word === 'string' && /^https?:/i.test(word))) return;
    const { placeOf, takeServer } = await import('./server-place.js');
    const command = this.id?.replaceAll(':', ' ') ?? '';
    const place = placeOf(parsed, own, { ...this.host.settings, onlyHere: isOnlyHere ? command : null });
    if (place === null) return;
    const server = await this.host.connect(place.server, command);
    this.#place.server = server;
    const line = takeServer(parsed, own, { place, server });
    if (!this.host.settings.quiet && parsed.flags.quiet !== true) this.logToStderr(line);
  }

  /** A line for people on stdout; nothing under `--json`. */
  override log(message: unknown = '', ...args: unknown[]): void {
    if (!this.jsonEnabled()) this.io.stdout.write(lineOf(message, args));
  }

  /** A line for people on stderr; nothing under `--json`. */
  override logToStderr(message: unknown = '', ...args: unknown[]): void {
    if (!this.jsonEnabled()) this.io.stderr.write(lineOf(message, args));
  }

  /** A warning on stderr; nothing under `--json`. */
  override warn(input: Error | string): Error | string {
    this.logToStderr(visibleLines(`warning: ${input instanceof Error ? input.message : input}`));
    return input;
  }

  /** One JSON value a line, also in between: streaming commands call it for each event. */
  override logJson(json: unknown): void {
    this.io.stdout.write(`${JSON.stringify(json)}\n`);
  }

  override toSuccessJson(result: unknown): unknown {
    return isObject(result) ? { ...result, type: 'result' } : { type: 'result', value: result ?? null };
  }

  override toErrorJson(error: unknown): unknown {
    return toErrorLine(this.#addressed(describeError(error)));
  }

  /** A command of a hint, pasted as it stands, looks where this one looked. */
  #addressed(problem: Problem): Problem {
    return addressedProblem(problem, { place: this.#place.word, argv: this.argv, own: this.ctor.flags });
  }

  protected override async catch(error: unknown): Promise<void> {
    const { flags, baseFlags, args } = this.ctor;
    const known = { command: `${this.config.bin} ${this.id}`, flags: { ...baseFlags, ...flags }, args };
    const asked = { ...known, logins: () => this.host.kit().logins.status() };
    const chosen = await (await import('./missing-workspace.js')).withWorkspaceChoice(error, this.#place.choice, asked);
    const placed = await this.#place.withUnreadRuns(withLikelyWord(chosen, known));
    const problem = this.#addressed(describeError(placed));
    this.io.exitCode = problem.exit;
    if (problem.silent) return;
    if (this.jsonEnabled()) this.logJson(toErrorLine(problem));
    else this.io.stderr.write(renderError(problem, { verbose: this.settings.verbose }));
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

const lineOf = (message: unknown, args: readonly unknown[]): string =>
  `${format(typeof message === 'string' ? message : inspect(message), ...args)}\n`;
