import {
  type ExitCode,
  Flags,
  KitCommand,
  KitError,
  unmetDemands,
  type ValidationView,
  type WorkspaceReport,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';

const FORMATS = ['pretty', 'json'] as const;
type Format = (typeof FORMATS)[number];

const DEFAULT_WIDTH = 100;

const isFormat = (text: string): text is Format => FORMATS.some((format) => format === text);

/** Checks a workspace without running anything. */
export class Validate extends KitCommand {
  static override summary = 'Check a workspace: syntax, schemas, references, rules.';
  static override description =
    'Reads every file, shows all problems of a phase at once, then what is wired and what checks the output of each root. Nothing is run and nothing is written. Exit code 0: valid; 1: a problem, or a demand that is not met; 2: no workspace there.';
  static override examples = [
    '<%= config.bin %> validate',
    '<%= config.bin %> validate ./team --tree',
    '<%= config.bin %> validate --explain schema.unknown-field',
  ];
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    tree: Flags.boolean({ description: 'Show the agents of every topology and every command line that a run can start.' }),
    require: Flags.boolean({ description: 'Fail when something declared is reached by no code path.' }),
    'require-verified': Flags.boolean({ description: 'Fail when nothing checks the output of a root.' }),
    format: Flags.string({ description: 'pretty (default) or json, one value a line.', helpValue: 'pretty|json', default: 'pretty' }),
    explain: Flags.string({ description: 'Print the page of a diagnostic code.', helpValue: 'CODE' }),
    quiet: Flags.boolean({ char: 'q', description: 'Only errors.' }),
    color: Flags.boolean({ description: 'Colours, whatever the terminal and NO_COLOR say.', allowNo: true }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Validate);
    const { format } = flags;
    if (!isFormat(format)) {
      throw new KitError('KIT_USAGE', `there is no format ${format}`, { hint: 'Use --format pretty or --format json.' });
    }
    if (flags.explain !== undefined) return this.explain(flags.explain);
    const report = await this.kit.validateWorkspace(this.workspaceDir({ flag: flags.workspace, arg: args.workspace }));
    const failures = unmetDemands(report, { require: flags.require, requireVerified: flags['require-verified'] });
    await this.show(report, format, {
      tree: flags.tree,
      quiet: flags.quiet,
      failures,
      color: flags.color ?? !this.settings.noColor,
      width: process.stdout.columns ?? DEFAULT_WIDTH,
    });
    const exit: ExitCode = report.workspace === null || failures.length > 0 ? 1 : 0;
    this.exitWith(exit);
    return outcome(report, failures, exit);
  }

  private async explain(code: string): Promise<unknown> {
    const page = await this.kit.authoring.explain(code);
    this.log(page.trimEnd());
    return { code, page };
  }

  private async show(report: WorkspaceReport, format: Format, view: ValidationView): Promise<void> {
    const renderers = await this.renderers();
    if (this.jsonEnabled() || format === 'json') {
      for (const line of renderers.validationJson(report, view)) this.logJson(line);
      return;
    }
    const text = renderers.validationText(report, view);
    if (text !== '') this.log(text);
  }
}

function outcome({ diagnostics }: WorkspaceReport, failures: readonly string[], exit: ExitCode): unknown {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return { status: exit === 0 ? 'ok' : 'failed', errors, warnings: diagnostics.length - errors, failures, exit };
}
