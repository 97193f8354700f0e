import {
  Args,
  colorFlag,
  Flags,
  KitCommand,
  listView,
  type RunSummary,
  shellWord,
  toWireJob,
  toWireRun,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { runAndWorkspace } from '../run-and-workspace.js';
import { statusToWire } from '../status-to-wire.js';

export class Trace extends KitCommand {
  static override summary = 'Show who called what in a run, and what each agent and model used.';
  static override description = 'Without a run it lists the newest ones.';
  static override examples = [
    '<%= config.bin %> trace',
    '<%= config.bin %> trace 4f2a',
    '<%= config.bin %> trace 4f2a -w ./team --json',
  ];
  static override args = { run: Args.string({ description: 'Run id or a unique prefix.' }), workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    limit: Flags.integer({
      char: 'n',
      default: 10,
      min: 1,
      max: 1000,
      description: 'Without a run: how many to list.',
      helpValue: 'N',
    }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Trace);
    const place = runAndWorkspace(args, this.settings.cwd);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: place.workspace });
    if (place.run === undefined)
      return this.list(await this.kit.observe.status({ workspace, limit: flags.limit }), {
        color: flags.color,
        named: flags.workspace ?? place.workspace,
      });
    const run = await this.kit.observe.trace({ workspace, run: place.run });
    if (!this.jsonEnabled()) {
      const { traceText } = await this.renderers.observe();
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
    if (newest === undefined) this.log('nothing was ever run in this workspace');
    else if (!this.jsonEnabled()) {
      const { statusText } = await this.renderers.observe();
      const place = shown.named === undefined ? '' : ` -w ${shellWord(shown.named)}`;
      this.log(
        `${statusText(runs, listView(this.settings, shown.color))}\n\nlook at one with: kit trace ${newest.job.id}${place}`,
      );
    }
    return { runs: runs.map(statusToWire) };
  }
}
