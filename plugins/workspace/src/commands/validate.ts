import {
  type App,
  type ExitCode,
  type FixReport,
  Flags,
  isKitError,
  judged,
  KitCommand,
  KitError,
  onlyHere,
  shellWord,
  type UnmetDemand,
  unmetDemands,
  type WorkspaceReport,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import type { FindingsOptions } from '@kit-run/kit/text/findings-sarif';
import { validationJson } from '@kit-run/kit/text/validation-json';
import { type ValidationTextOptions, validationText } from '@kit-run/kit/text/validation-text';
import { fixJson, fixLines } from '../fix-lines.js';

const FORMATS = ['pretty', 'json', 'sarif', 'github'] as const;
type Format = (typeof FORMATS)[number];

/** Columns of what is written to a file or a pipe. */
const DEFAULT_WIDTH = 100;

/** Checks a workspace without running anything. */
export class Validate extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Check a workspace: syntax, schemas, references, rules.';
  static override description =
    'Reads every file and shows all problems of a phase at once, then which parts a run can reach and what checks the output of each root. Several workspaces are checked one after the other. Nothing is run, and only --fix writes: it fixes what has only one right answer (a misspelt key, a number in quotes, a missing apiVersion), keeps comments and layout, and never changes names that people choose. Exit code 0: valid; 1: a problem remains, or a --require flag is not met; 2: no workspace in the directory.';
  static override examples = [
    '<%= config.bin %> validate',
    '<%= config.bin %> validate ./team --tree',
    '<%= config.bin %> validate services/*/kit',
    '<%= config.bin %> validate --explain schema.unknown-field',
    '<%= config.bin %> validate --fix',
    '<%= config.bin %> validate --format sarif > kit.sarif',
  ];
  static override args = { workspace: workspaceArg };
  /** More workspaces may follow: a repository often holds several. */
  static override strict = false;
  static override flags = {
    workspace: workspaceFlag,
    tree: Flags.boolean({
      description: 'Show the agents of every topology and every command line that a run can start.',
    }),
    require: Flags.boolean({ description: 'Fail when no run can reach something that is declared.' }),
    'require-verified': Flags.boolean({ description: 'Fail when nothing checks the output of a root.' }),
    format: Flags.option({
      options: FORMATS,
      description:
        'pretty (default), json (one value a line), sarif (one SARIF 2.1.0 log) or github (workflow commands).',
    })(),
    fix: Flags.boolean({ description: 'Write what has only one right answer, then check.' }),
    'dry-run': Flags.boolean({ description: 'With --fix: show what would be written.', dependsOn: ['fix'] }),
    explain: Flags.string({ description: 'Print the page of a diagnostic code.', helpValue: 'CODE' }),
    quiet: Flags.boolean({ char: 'q', description: 'Show errors only.' }),
    color: Flags.boolean({ description: 'Colours, whatever the terminal and NO_COLOR say.', allowNo: true }),
  };

  override async run(): Promise<unknown> {
    const { argv, flags } = await this.parse(Validate);
    if (flags.explain !== undefined) return this.explain(flags.explain);
    const format = this.formatOf(flags);
    const named = argv.map(String);
    if (named.length <= 1) {
      const directory = this.workspaceDir({ flag: flags.workspace, arg: named[0] });
      return this.check(directory, format, { ...flags, arg: named[0] ?? flags.workspace });
    }
    if (flags.workspace !== undefined || format === 'sarif')
      throw new KitError('KIT_USAGE', 'several workspaces are named one after the other', {
        hint: format === 'sarif' ? 'Write one SARIF log a workspace.' : 'Leave out --workspace.',
      });
    return this.checkEach(named, format, flags);
  }

  /**
   * Each in turn; the exit code is the gravest. One that is none is told, and the others are
   * checked.
   */
  private async checkEach(named: readonly string[], format: Format, flags: CheckFlags): Promise<unknown> {
    const workspaces: unknown[] = [];
    let worst: ExitCode = 0;
    for (const arg of named) {
      if (format === 'pretty' && !flags.quiet) this.log(`${workspaces.length === 0 ? '' : '\n'}${arg}:`);
      try {
        const found = await this.check(this.workspaceDir({ arg }), format, { ...flags, arg });
        workspaces.push({ workspace: arg, ...found });
        worst = Math.max(worst, found.exit) as ExitCode;
      } catch (error) {
        if (!isKitError(error)) throw error;
        if (format !== 'json') this.logToStderr(`error[${error.code}]: ${error.message}`);
        workspaces.push({ workspace: arg, status: 'failed', error: error.code, message: error.message, exit: 2 });
        worst = 2;
      }
    }
    this.exitWith(worst);
    return { status: worst === 0 ? 'ok' : 'failed', workspaces, exit: worst };
  }

  private async check(directory: string, format: Format, flags: CheckFlags): Promise<Outcome> {
    const plan = flags.fix ? await this.fix(directory, format, flags) : null;
    const report = judged(await this.kit.validateWorkspace(directory));
    const failures = unmetDemands(report, { require: flags.require, requireVerified: flags['require-verified'] });
    const view = {
      tree: flags.tree,
      quiet: flags.quiet,
      failures,
      color: flags.color ?? !this.settings.noColor,
      width: this.settings.stdoutColumns ?? DEFAULT_WIDTH,
    };
    await this.show(report, format, { ...view, directory });
    if (plan === null && format === 'pretty' && !flags.quiet) this.offerFix(report, flags.arg);
    const isBroken = report.workspace === null || report.diagnostics.some(({ severity }) => severity === 'error');
    const exit: ExitCode = isBroken || failures.length > 0 ? 1 : 0;
    this.exitWith(exit);
    return { ...outcome(report, failures, exit), ...(plan === null ? {} : { fixed: plan.fixed.length }) };
  }

  /** Fixes what has only one right answer, and says each. */
  private async fix(directory: string, format: Format, flags: CheckFlags): Promise<FixReport> {
    const isWritten = !flags['dry-run'];
    const plan = await this.kit.authoring.fix({ workspace: directory, write: isWritten });
    if (format === 'json') for (const line of fixJson(plan, isWritten)) this.logJson(line);
    // The formats for other tools hold problems alone.
    else if (!flags.quiet) for (const line of fixLines(plan, isWritten)) this.textOf(format)(line);
    return plan;
  }

  /** Where words for people go beside what a format holds. */
  private textOf(format: Format): (line: string) => void {
    return (line) => (format === 'pretty' ? this.log(line) : this.logToStderr(line));
  }

  private offerFix({ diagnostics }: WorkspaceReport, arg: string | undefined): void {
    const count = diagnostics.filter(({ fix }) => fix !== undefined).length;
    if (count === 0) return;
    const command = [this.config.bin, 'validate', '--fix', ...(arg === undefined ? [] : [arg])]
      .map(shellWord)
      .join(' ');
    this.log(`\n\`${command}\` fixes ${count === 1 ? 'one of them' : `${count} of them`}`);
  }

  /**
   * `--json` is `--format json` and the result: another format beside it would put two languages on
   * one stdout.
   */
  private formatOf({ format, tree }: { readonly format?: Format | undefined; readonly tree: boolean }): Format {
    if (this.jsonEnabled() && (format ?? 'json') !== 'json') {
      throw new KitError('KIT_USAGE', `--json and --format ${format} exclude each other`, {
        hint: 'Leave one of them out.',
      });
    }
    if (tree && (format === 'sarif' || format === 'github')) {
      throw new KitError('KIT_USAGE', `--format ${format} shows problems alone, so --tree has no effect`, {
        hint: 'Leave one of them out.',
      });
    }
    return this.jsonEnabled() ? 'json' : (format ?? 'pretty');
  }

  private async explain(code: string): Promise<unknown> {
    const page = await this.kit.authoring.explain(code);
    this.log(page.trimEnd());
    return { code, page };
  }

  private async show(
    report: WorkspaceReport,
    format: Format,
    view: ValidationTextOptions & { readonly directory: string },
  ): Promise<void> {
    switch (format) {
      case 'json':
        for (const line of validationJson(report, view)) this.logJson(line);
        return;
      // Few ask for what other tools read.
      case 'sarif': {
        const { validationSarif } = await import('@kit-run/kit/text/findings-sarif');
        return this.logJson(validationSarif(report, await this.findingsView(report, view)));
      }
      case 'github': {
        const { validationGithub } = await import('@kit-run/kit/text/findings-github');
        return this.log(validationGithub(report, await this.findingsView(report, view)));
      }
      case 'pretty': {
        const text = validationText(report, view);
        if (text !== '') this.log(text);
      }
    }
  }

  private async findingsView(
    report: WorkspaceReport,
    { quiet, failures, directory }: Pick<ValidationTextOptions, 'quiet' | 'failures'> & { readonly directory: string },
  ): Promise<FindingsOptions> {
    const pages = await pagesOf(this.kit.authoring, new Set(report.diagnostics.map(({ code }) => code)));
    return {
      quiet,
      failures,
      workspaceDir: directory,
      repositoryDir: this.settings.repositoryDir,
      version: this.config.version,
      pages,
    };
  }
}

interface CheckFlags {
  readonly tree: boolean;
  readonly require: boolean;
  readonly 'require-verified': boolean;
  readonly quiet: boolean;
  readonly color?: boolean | undefined;
  readonly fix: boolean;
  readonly 'dry-run': boolean;
  /** The workspace as it was named; undefined: it was found. */
  readonly arg?: string | undefined;
}

interface Outcome {
  readonly status: 'ok' | 'failed';
  readonly errors: number;
  readonly warnings: number;
  readonly failures: readonly string[];
  /** Problems that were fixed; absent without --fix. */
  readonly fixed?: number;
  readonly exit: ExitCode;
}

async function pagesOf(authoring: App['authoring'], codes: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  return new Map(await Promise.all([...codes].map(async (code) => [code, await authoring.explain(code)] as const)));
}

function outcome({ diagnostics }: WorkspaceReport, failures: readonly UnmetDemand[], exit: ExitCode): Outcome {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return {
    status: exit === 0 ? 'ok' : 'failed',
    errors,
    warnings: diagnostics.filter(({ severity }) => severity === 'warning').length,
    failures: failures.map(({ message }) => message),
    exit,
  };
}
