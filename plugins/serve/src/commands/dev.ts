import {
  Flags,
  isKitError,
  KitCommand,
  linksBelow,
  oneLine,
  onlyHere,
  stopSignals,
  type WorkspaceReport,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { validationText } from '@kit-run/kit/text/validation-text';
import { parseServeFlags } from '../start/parse-flags.js';
import type { RunningServer } from '../start/run-server.js';
import { startLines } from '../start/start-lines.js';
import type { FileWatch } from '../start/watch-files.js';

/** Only this machine reaches what is being written. */
const HOST = '127.0.0.1';
const MAX_PATHS = 3;
const DEFAULT_WIDTH = 100;

export class Dev extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Develop a workspace: serve it here, validate it at each save, open its console.';
  static override description =
    'Each save is validated. Valid files are loaded: new runs use them, running ones keep their version. After an error the server keeps the last valid files, and the terminal and the page show the error. Only this machine can reach the server. Ctrl-C ends it.';
  static override examples = ['<%= config.bin %> dev', '<%= config.bin %> dev ./workspace --port 0 --no-browser'];
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    port: Flags.string({
      char: 'p',
      description: 'Port; 0 = any free one (default: server.port, else 8000).',
      helpValue: 'PORT',
    }),
    browser: Flags.boolean({ description: 'Open the console in a browser.', default: true, allowNo: true }),
  };

  override async run(): Promise<unknown> {
    this.stdout.goOnWithout();
    const { args, flags } = await this.parse(Dev);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const asked = new AbortController();
    // A second one does not wait for runs to come to rest.
    const signals = stopSignals(this.io.events, this.io.exit);
    void signals.first.then(() => asked.abort());
    const { watchFiles } = await import('../start/watch-files.js');
    const files = await watchFiles(workspace);
    let saves = 0;
    let server: RunningServer | null = null;
    try {
      server = await this.start(workspace, { port: flags.port, files, signal: asked.signal });
      if (server === null) return { saves };
      const page = `${linksBelow(server.url).home}#dev`;
      if (flags.browser && !(await this.browser.open(new URL(page))))
        this.printLine(`no browser could be opened: ${page}`);
      this.printLine('each save is validated and loaded; Ctrl-C ends it');
      while (!asked.signal.aborted) {
        const changed = await files.next(asked.signal);
        if (changed.length === 0) break;
        saves += 1;
        await this.take(workspace, changed);
      }
      return { saves };
    } finally {
      await Promise.all([files.close(), server?.stop()]);
      signals.release();
    }
  }

  /** A server, once the workspace has no error that keeps it from starting; null = asked to go. */
  private async start(
    workspace: string,
    {
      port,
      files,
      signal,
    }: { readonly port: string | undefined; readonly files: FileWatch; readonly signal: AbortSignal },
  ): Promise<RunningServer | null> {
    const flags = { port, host: HOST, role: 'all', profile: 'standard', insecure: false } as const;
    const options = parseServeFlags(flags, workspace);
    while (!signal.aborted) {
      if (await this.isSound(await this.kit.validateWorkspace(workspace))) {
        const { runServer } = await import('../start/run-server.js');
        const server = await runServer(this.kit, options, this.config.version);
        if (this.jsonEnabled()) this.logJson({ type: 'listening', url: server.url });
        else for (const line of startLines(server, await this.kit.triggers.list({ workspace }))) this.printLine(line);
        return server;
      }
      this.printLine('the server starts when the files have no error');
      await files.next(signal);
    }
    return null;
  }

  private async take(workspace: string, changed: readonly string[]): Promise<void> {
    const more = changed.length > MAX_PATHS ? ` and ${changed.length - MAX_PATHS} more` : '';
    const named = `${changed
      .slice(0, MAX_PATHS)
      .map((path) => oneLine(path, 120))
      .join(', ')}${more}`;
    const isTaken = await this.load(workspace).catch((error: unknown) => {
      // Some editors, and git, take a file away before they write it: the next change is near.
      if (!isKitError(error)) throw error;
      this.printLine(`error[${error.code}]: ${oneLine(error.message, 400)}`);
      return false;
    });
    this.printLine(isTaken ? `${named}: loaded` : `${named}: not loaded, the server keeps the last valid files`);
    if (this.jsonEnabled()) this.logJson({ type: 'saved', paths: changed, valid: isTaken });
  }

  private async load(workspace: string): Promise<boolean> {
    const isSound = await this.isSound(await this.kit.validateWorkspace(workspace));
    // What is written between the two looks is judged again by the second.
    return isSound && (await this.kit.editing.reload({ workspace })).valid;
  }

  /** Shows what the compiler says, and whether nothing of it is an error. */
  private async isSound(report: WorkspaceReport): Promise<boolean> {
    const isSound = report.workspace !== null && report.diagnostics.every(({ severity }) => severity !== 'error');
    if (report.diagnostics.length > 0 && !this.jsonEnabled()) {
      const { noColor, stdoutColumns } = this.settings;
      const view = { tree: false, quiet: false, failures: [], color: !noColor, width: stdoutColumns ?? DEFAULT_WIDTH };
      this.printLine(validationText(report, view));
    }
    return isSound;
  }

  private printLine(line: string): void {
    this.logToStderr(line);
  }
}
