import { resolve } from 'node:path';
import {
  Args,
  assertOutput,
  Flags,
  KitCommand,
  namedOrNewest,
  runAndWorkspace,
  workspaceArg,
  workspaceFlag,
  writeOutput,
} from '@kit-run/kit/command';
import { reportHtml } from '@kit-run/kit/text/report-html';

export class Report extends KitCommand {
  static override summary = 'Write one self-contained HTML page about a run.';
  static override description =
    'The page has the timeline, the tree of calls, decisions, cost, warnings and every event. It opens from disk without a network. It holds the input and the answers of the run: share it only with people who may read them.';
  static override args = {
    run: Args.string({ description: 'Run id or a unique prefix (default: the newest run).' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    output: Flags.string({
      char: 'o',
      description: 'File to write (default: kit-report-RUN.html in the current directory); - is stdout.',
      helpValue: 'FILE',
    }),
    force: Flags.boolean({ description: 'Replace the file.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Report);
    assertOutput(flags.output, this.jsonEnabled());
    const place = runAndWorkspace(args, this.settings.cwd);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: place.workspace });
    const named = { workspace, named: place.run, notice: (text: string) => this.logToStderr(text) };
    const report = await this.kit.observe.report({ workspace, run: await namedOrNewest(this.kit, named) });
    const html = reportHtml(report);
    if (flags.output === '-') {
      this.io.stdout.write(html);
      return undefined;
    }
    const file = resolve(this.settings.cwd, flags.output ?? `kit-report-${report.job.id}.html`);
    await writeOutput(file, html, { force: flags.force, exists: { code: 'KIT_REPORT_EXISTS' } });
    this.log(file);
    return {
      run_id: report.job.id,
      file,
      bytes: Buffer.byteLength(html),
      events: report.events.length,
      events_left_out: report.eventsLeftOut,
    };
  }
}
