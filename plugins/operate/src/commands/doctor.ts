import {
  type CrashReport,
  colorFlag,
  Flags,
  hasFailed,
  hasRecovered,
  KitCommand,
  KitError,
  listView,
  onlyHere,
  toWireCrash,
  toWireDoctor,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { crashProgress, crashText } from '@kit-run/kit/text/crash-text';
import { doctorText } from '@kit-run/kit/text/doctor-text';

export class Doctor extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Check this machine, the workspace and its stores; each problem comes with its fix.';
  static override description =
    'Looks at Node, the state directory, stores, clocks, keys, harnesses, plugins, git and containers; no value of a key is shown and nothing of the workspace is written. With --crash it kills a small built-in run at every durable write and compares the results. That happens in temporary stores of the same kind (on PostgreSQL in schemas that are dropped). Exit code 1: something has to be fixed.';
  static override examples = [
    '<%= config.bin %> doctor',
    '<%= config.bin %> doctor ./team --json',
    '<%= config.bin %> doctor --full',
    '<%= config.bin %> doctor --crash',
    '<%= config.bin %> doctor --crash --share 0.2 --seed 7',
  ];
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    crash: Flags.boolean({
      description: 'Kill a built-in run at every fault point of the store, and compare the results; takes minutes.',
    }),
    full: Flags.boolean({
      description: 'Read the store through and check the log of every run, however long it takes.',
      exclusive: ['crash'],
    }),
    share: Flags.string({
      description: 'With --crash: share of the fault points, above 0 and at most 1.',
      dependsOn: ['crash'],
    }),
    seed: Flags.integer({
      description: 'With --crash: seed that chooses the fault points and their order.',
      dependsOn: ['crash'],
    }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Doctor);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const view = listView(this.settings, flags.color);
    if (!flags.crash) {
      const found = await this.kit.doctor.check(workspace, { full: flags.full });
      if (!this.jsonEnabled()) this.log(doctorText(found, view));
      if (hasFailed(found)) this.exitWith(1);
      return toWireDoctor(found);
    }
    const of = { share: shareOf(flags.share), seed: flags.seed ?? 1 };
    const { report, isCut } = await this.untilAsked((asked) => this.crash(workspace, of, asked));
    if (!this.jsonEnabled()) this.log(crashText(report, view));
    if (isCut) this.exitWith(130);
    else if (!hasRecovered(report)) this.exitWith(1);
    return toWireCrash(report);
  }

  /** A first Ctrl-C ends it in good order: the scratch stores are removed. */
  private async crash(
    workspace: string,
    of: { readonly share: number; readonly seed: number },
    signal: AbortSignal,
  ): Promise<{ readonly report: CrashReport; readonly isCut: boolean }> {
    // Whoever reads stdout may go: the scratch stores are removed all the same.
    this.stdout.goOnWithout();
    const progress = this.progress();
    try {
      const report = await this.kit.doctor.crash(workspace, { ...of, signal, onProgress: progress.show });
      return { report, isCut: signal.aborted };
    } finally {
      progress.end();
    }
  }

  /** One line on stderr: written over on a terminal, elsewhere anew for each tenth of the way. */
  private progress(): {
    readonly show: (report: CrashReport) => void;
    readonly end: () => void;
  } {
    const { quiet, stderrIsTty, ci, isDumbTerminal } = this.settings;
    if (quiet || this.jsonEnabled()) return { show: () => undefined, end: () => undefined };
    const isLive = stderrIsTty && !ci && !isDumbTerminal;
    let tenth = 0;
    const show = (report: CrashReport): void => {
      if (isLive) this.io.stderr.write(`\r${crashProgress(report)}\u001b[K`);
      const now = Math.floor((10 * report.tried) / report.chosen);
      if (!isLive && now > tenth) this.io.stderr.write(`${crashProgress(report)}\n`);
      tenth = now;
    };
    return { show, end: () => void (isLive && this.io.stderr.write('\r\u001b[K')) };
  }
}

function shareOf(text: string | undefined): number {
  const share = text === undefined ? 1 : Number(text);
  if (share > 0 && share <= 1) return share;
  throw new KitError('KIT_USAGE', `--share ${text} is not a share: it must be above 0 and at most 1`, {
    hint: 'Write a number above 0 and at most 1: --share 0.2.',
  });
}
