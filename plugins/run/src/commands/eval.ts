import { access, constants, mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  Args,
  type EvalComparison,
  type EvalOutcome,
  Flags,
  identityFlag,
  isDirectory,
  KitCommand,
  KitError,
  onlyHere,
  stopSignals,
  trustFlag,
  whoActs,
  workspaceFlag,
} from '@kit-run/kit/command';
import { evalCaseText, evalSummary, toReport } from '@kit-run/kit/text/eval-text';
import { evalJunit } from '@kit-run/kit/text/junit';

export class Eval extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Run the cases of an eval set and judge their answers.';
  static override description =
    'Each case is an ordinary run; a judge or a rubric is one more. Exit codes: 0 every case passed, 1 one did not, 2 the set cannot be evaluated, 4 interrupted: the first Ctrl-C stops the runs at their next step and writes the report. A case that waits at a gate has failed.';
  static override args = {
    workspace: Args.string({ description: 'Directory that holds workspace.yaml.' }),
    set: Args.string({
      description: 'Eval set: its id, its path, or its file name below evals/ (default: every set).',
    }),
  };
  static override flags = {
    workspace: workspaceFlag,
    compare: Flags.boolean({ description: 'Compare with the newest earlier report of the set.' }),
    against: Flags.string({ description: 'Compare with this report instead of the newest one.', helpValue: 'REPORT' }),
    concurrency: Flags.integer({
      char: 'c',
      default: 1,
      min: 1,
      max: 64,
      description: 'Cases that run at the same time.',
      helpValue: 'N',
    }),
    junit: Flags.string({ description: 'Write the verdicts as JUnit XML; replaces the file.', helpValue: 'FILE' }),
    output: Flags.string({
      char: 'o',
      description: 'Write the reports as one JSON document; replaces the file.',
      helpValue: 'FILE',
    }),
    record: Flags.string({
      description: 'Keep every answer of models, commands and harnesses in new files of this directory.',
      helpValue: 'DIR',
    }),
    replay: Flags.string({
      description: 'Answer everything from a directory of --record; call nothing.',
      helpValue: 'DIR',
      exclusive: ['record', 'trust'],
    }),
    as: identityFlag('Identity that submits the runs (default: the OS user).'),
    trust: trustFlag,
    quiet: Flags.boolean({ char: 'q', description: 'Show only the cases that failed and the summary.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Eval);
    const identity = whoActs(this.settings, flags.as).identity;
    // One argument alone is the set when it is not a directory, or with `-w DIR`: the workspace is
    // then KIT_WORKSPACE or this one.
    const isShifted =
      args.set === undefined &&
      args.workspace !== undefined &&
      (flags.workspace !== undefined || !isDirectory(resolve(this.settings.cwd, args.workspace)));
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: isShifted ? undefined : args.workspace });
    const set = (isShifted ? args.workspace : args.set) ?? null;
    const cassettes = this.cassettesOf(flags);
    for (const file of [flags.junit, flags.output])
      if (file !== undefined) await checkWritable(resolve(this.settings.cwd, file));
    if (cassettes?.kind === 'record') await mkdir(cassettes.directory, { recursive: true, mode: 0o700 });
    const quiet = flags.quiet || this.settings.quiet;
    const isCompared = flags.compare || flags.against !== undefined;
    const stop = new AbortController();
    const signals = stopSignals(this.io.events, this.io.exit);
    void signals.first.then(() => {
      if (!this.jsonEnabled())
        this.io.stderr.write('stopping once the steps in flight have ended; press Ctrl-C again to leave at once\n');
      stop.abort();
    });
    const outcomes = await this.kit.evals
      .run({
        workspace,
        set,
        concurrency: flags.concurrency,
        submittedBy: { identity, assurance: 'asserted' },
        trust: flags.trust ?? [],
        cassettes,
        compare: flags.compare,
        against: flags.against === undefined ? null : resolve(this.settings.cwd, flags.against),
        signal: stop.signal,
        onCase: (_set, result) => {
          if (!quiet || !result.passed) this.log(evalCaseText(result));
        },
      })
      .finally(signals.release);
    for (const outcome of outcomes) this.log(evalSummary(outcome, { compare: isCompared }));
    const answer = {
      sets: outcomes.map((outcome) => ({
        ...toReport(outcome),
        report: outcome.report,
        ...(isCompared
          ? { comparison: outcome.comparison === null ? null : comparisonToWire(outcome.comparison) }
          : {}),
      })),
    };
    if (flags.junit !== undefined) await writeText(resolve(this.settings.cwd, flags.junit), evalJunit(outcomes));
    if (flags.output !== undefined)
      await writeText(resolve(this.settings.cwd, flags.output), `${JSON.stringify(answer, null, 2)}\n`);
    this.exitWith(exitOf(outcomes, stop.signal.aborted));
    return answer;
  }

  private cassettesOf(flags: { readonly record?: string | undefined; readonly replay?: string | undefined }) {
    if (flags.record !== undefined)
      return { kind: 'record', directory: resolve(this.settings.cwd, flags.record) } as const;
    return flags.replay === undefined
      ? null
      : ({ kind: 'replay', directory: resolve(this.settings.cwd, flags.replay) } as const);
  }
}

const comparisonToWire = ({ report, passRate, regressed, fixed, added, removed, trend }: EvalComparison) => ({
  ...{ report, pass_rate: passRate, trend },
  ...{ regressed, fixed, new: added, removed },
});

/** A case that failed says more than that others were not run. */
function exitOf(outcomes: readonly EvalOutcome[], isInterrupted: boolean): 0 | 1 | 4 {
  if (outcomes.some(({ cases }) => cases.some(({ passed }) => !passed))) return 1;
  return isInterrupted ? 4 : 0;
}

/** Before the first case: what the runs have cost is not to be lost for a misspelt directory. */
async function checkWritable(file: string): Promise<void> {
  if (isDirectory(file)) throw unwritable(file);
  await access(dirname(file), constants.W_OK).catch((error: unknown) => {
    throw unwritable(file, error);
  });
}

async function writeText(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error: unknown) => {
    throw unwritable(file, error);
  });
}

const unwritable = (file: string, cause?: unknown): KitError =>
  new KitError('KIT_USAGE', `${file} cannot be written`, { hint: 'Name a file in a directory that exists.', cause });
