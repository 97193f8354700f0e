import {
  Args,
  colorFlag,
  Flags,
  KitCommand,
  listView,
  newestText,
  type RunSummary,
  runAndWorkspace,
  shellWord,
  toWireJob,
  toWireRun,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { statusText } from '@kit-run/kit/text/status-text';
import { traceText } from '@kit-run/kit/text/trace-text';
import { statusToWire } from '../status-to-wire.js';

export class Trace extends KitCommand {
  static override summary = 'Show the calls of a run, and what each agent and model used.';
  static override description = 'Without a run it lists the newest ones.';
  static override examples = [
    '<%= config.bin %> trace',
    '<%= config.bin %> trace 4f2a',
    '<%= config.bin %> trace 4f2a -w ./team --json',
  ];
  static override args = {
    run: Args.string({ description: 'Run id or a unique prefix (default: the newest run).' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    limit: Flags.integer({
      char: 'n',
      min: 1,
      max: 1000,
      description: 'Without a run: list this many runs instead of showing the newest.',
      helpValue: 'N',
    }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Trace);
    const place = runAndWorkspace(args, this.settings.cwd);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: place.workspace });
    const wanted = place.run === undefined ? await this.kit.observe.status({ workspace, limit: flags.limit ?? 1 }) : [];
    if (place.run === undefined && (flags.limit !== undefined || wanted.length === 0))
      return this.list(wanted, { color: flags.color, named: flags.workspace ?? place.workspace });
    const [newest] = wanted;
    if (newest !== undefined) this.logToStderr(newestText(newest.job));
    const run = await this.kit.observe.trace({ workspace, run: place.run ?? newest?.job.id ?? '' });
    if (!this.jsonEnabled()) {
      this.log(traceText(run, listView(this.settings, flags.color)));
    }
    return {
      job: toWireJob(run.job),
      line: [...(run.line ?? [run.job.id])],
      wall_ms: run.wallMs,
      trace: toWireRun(run.view),
    };
  }

  private async list(
    runs: readonly RunSummary[],
    shown: { readonly color: boolean | undefined; readonly named: string | undefined },
  ): Promise<unknown> {
    const [newest] = runs;
    if (newest === undefined) this.log(await this.noRuns());
    else if (!this.jsonEnabled()) {
      const place = shown.named === undefined ? '' : ` -w ${shellWord(shown.named)}`;
      this.log(
        `${statusText(runs, listView(this.settings, shown.color))}\n\nlook at one with: kit trace ${newest.job.id}${place}`,
      );
    }
    return { runs: runs.map(statusToWire) };
  }
}
