import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Args, Flags, KitCommand, KitError, osUser, workspaceFlag } from '@kit-run/kit/command';
import { isDirectory } from '../is-directory.js';

export class Eval extends KitCommand {
  static override summary = 'Run the cases of an eval set and judge what they answer.';
  static override description =
    'Each case is an ordinary run; a judge or a rubric is one more. Exit codes: 0 every case passed, 1 one did not, 2 the set cannot be evaluated. A case that parks on a gate has failed.';
  static override args = {
    workspace: Args.string({ description: 'Directory that holds workspace.yaml.' }),
    set: Args.string({ description: 'Eval set: its id, its path, or its file name below evals/ (default: every set).' }),
  };
  static override flags = {
    workspace: workspaceFlag,
    compare: Flags.boolean({ description: 'Say what has changed since the newest earlier report of the set.' }),
    concurrency: Flags.integer({ char: 'c', default: 1, min: 1, max: 64, description: 'Cases that run at the same time.', helpValue: 'N' }),
    junit: Flags.string({ description: 'Write the verdicts as JUnit XML; replaces the file.', helpValue: 'FILE' }),
    record: Flags.string({ description: 'Keep every answer of models, commands and harnesses in new files of this directory.', helpValue: 'DIR' }),
    replay: Flags.string({
      description: 'Answer everything from such a directory; call nothing.',
      helpValue: 'DIR',
      exclusive: ['record', 'trust'],
    }),
    as: Flags.string({ description: 'Identity that submits the runs (default: the OS user).', helpValue: 'IDENTITY' }),
    trust: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Approve an adapter of the workspace by the digest of its spec.',
      helpValue: 'DIGEST',
    }),
    quiet: Flags.boolean({ char: 'q', description: 'Show only the cases that failed and the summary.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Eval);
    if (flags.as?.trim() === '') throw new KitError('KIT_USAGE', '--as names nobody', { hint: 'Write --as <identity>, or leave it out.' });
    // One argument alone is the set when it is no directory, or with `-w DIR`: the workspace is then KIT_WORKSPACE or this one.
    const isShifted =
      args.set === undefined &&
      args.workspace !== undefined &&
      (flags.workspace !== undefined || !isDirectory(resolve(this.settings.cwd, args.workspace)));
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: isShifted ? undefined : args.workspace });
    const set = (isShifted ? args.workspace : args.set) ?? null;
    const cassettes = this.cassettesOf(flags);
    if (cassettes?.kind === 'record') await mkdir(cassettes.directory, { recursive: true, mode: 0o700 });
    const { evalCaseText, evalSummary, evalJunit, toReport } = await this.renderers.evals();
    const quiet = flags.quiet || this.settings.quiet;
    const outcomes = await this.kit.evals.run({
      workspace,
      set,
      concurrency: flags.concurrency,
      submittedBy: { identity: flags.as ?? osUser(), assurance: 'asserted' },
      trust: flags.trust ?? [],
      cassettes,
      compare: flags.compare,
      onCase: (_set, result) => {
        if (!quiet || !result.passed) this.log(evalCaseText(result));
      },
    });
    for (const outcome of outcomes) this.log(evalSummary(outcome, { compare: flags.compare }));
    if (flags.junit !== undefined) await writeJunit(resolve(this.settings.cwd, flags.junit), evalJunit(outcomes));
    this.exitWith(outcomes.some(({ cases }) => cases.some(({ passed }) => !passed)) ? 1 : 0);
    return {
      sets: outcomes.map((outcome) => ({
        ...toReport(outcome),
        report: outcome.report,
        ...(flags.compare ? { comparison: outcome.comparison === null ? null : comparisonToWire(outcome.comparison) } : {}),
      })),
    };
  }

  private cassettesOf(flags: { readonly record?: string | undefined; readonly replay?: string | undefined }) {
    if (flags.record !== undefined) return { kind: 'record', directory: resolve(this.settings.cwd, flags.record) } as const;
    return flags.replay === undefined ? null : ({ kind: 'replay', directory: resolve(this.settings.cwd, flags.replay) } as const);
  }
}

interface Compared {
  readonly report: string;
  readonly passRate: number;
  readonly regressed: readonly string[];
  readonly fixed: readonly string[];
  readonly added: readonly string[];
}

const comparisonToWire = ({ report, passRate, regressed, fixed, added }: Compared) => ({ report, pass_rate: passRate, regressed, fixed, new: added });

async function writeJunit(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new KitError('KIT_USAGE', `${file} cannot be written`, { hint: 'Name a file in a directory that exists.', cause: error });
  }
}
