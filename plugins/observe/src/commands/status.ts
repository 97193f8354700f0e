import {
  colorFlag,
  Flags,
  KitCommand,
  listView,
  pause,
  type RunSummary,
  runAndWorkspace,
  runFilterFlags,
  runFilterOf,
  shellWord,
  showPage,
  webFlag,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { statusText } from '@kit-run/kit/text/status-text';
import { statusToWire } from '../status-to-wire.js';

/** Between two looks. */
const REFRESH_MS = 1_000;

interface Shown {
  readonly color: boolean | undefined;
  /** The workspace as it was written; undefined = the directory of the call. */
  readonly named: string | undefined;
}

export class Status extends KitCommand {
  static override summary = 'List the newest runs with their state, time and usage.';
  static override description =
    'TIME runs from the first claim to the end, or until now; waiting counts. ISSUES counts failed calls, denied calls and failed agents.';
  static override examples = [
    '<%= config.bin %> status 4f2a',
    '<%= config.bin %> status --status running,deferred --since 2h --watch',
  ];
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    last: Flags.integer({
      char: 'n',
      default: 5,
      min: 1,
      max: 1000,
      description: 'How many runs, newest first.',
      helpValue: 'N',
    }),
    ...runFilterFlags,
    watch: Flags.boolean({ description: 'Show the list again whenever it changes, until Ctrl-C.' }),
    // The page has filters of its own.
    web: webFlag(['watch', ...Object.keys(runFilterFlags)]),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Status);
    // What looks like the id of a run is one, as it is for `kit trace`.
    const { run, workspace: arg } = runAndWorkspace({ run: args.workspace }, this.settings.cwd);
    const isRun = run !== undefined && /^[0-9a-f]{3,12}$/.test(run);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: isRun ? undefined : (arg ?? run) });
    const given = runFilterOf(flags);
    const filter = isRun ? { ...given, idPrefix: run } : given;
    const read = (): Promise<readonly RunSummary[]> =>
      this.kit.observe.status({ workspace, limit: flags.last, ...(filter === null ? {} : { filter }) });
    const meant = flags.web && isRun ? (await read())[0] : undefined;
    if (flags.web)
      return showPage(
        { kit: this.kit, browser: this.browser, out: this },
        { workspace, page: (links) => (meant === undefined ? links.runs : links.run(meant.job.id)), opens: true },
      );
    const shown = { color: flags.color, named: flags.workspace ?? (isRun ? undefined : (arg ?? run)) };
    if (flags.watch) return this.untilAsked((signal) => this.watch(read, { signal, ...shown }));
    const runs = await read();
    if (runs.length === 0) await this.logNone(filter !== null);
    else if (!this.jsonEnabled()) this.log(await this.text(runs, shown));
    return { runs: runs.map(statusToWire) };
  }

  private async logNone(isFiltered: boolean): Promise<void> {
    this.log(isFiltered ? 'no run passes the filters' : await this.noRuns());
    if (isFiltered) await this.noticeUnread();
  }

  private async text(runs: readonly RunSummary[], { color, named }: Shown): Promise<string> {
    // What is piped is rows alone.
    const found = this.settings.stdoutIsTty ? runs.find(({ figures }) => figures.issues > 0) : undefined;
    const place = named === undefined ? '' : ` -w ${shellWord(named)}`;
    const look = found === undefined ? '' : `\n\nlook at its issues with: kit trace ${found.job.id}${place}`;
    return `${statusText(runs, listView(this.settings, color))}${look}`;
  }

  /**
   * The list again whenever it has changed, until somebody asks the process to go: in its place on
   * a terminal, below each other elsewhere, a document a line with `--json`.
   */
  private async watch(
    read: () => Promise<readonly RunSummary[]>,
    { signal, ...how }: Shown & { readonly signal: AbortSignal },
  ): Promise<{ readonly looks: number }> {
    let before = '';
    let looks = 0;
    const isInPlace = this.settings.stdoutIsTty && !this.settings.isDumbTerminal && !this.jsonEnabled();
    while (!signal.aborted && !this.stdout.closed.aborted) {
      const runs = await read();
      const shown = this.jsonEnabled()
        ? JSON.stringify(runs.map(({ job }) => [job.id, job.status, job.attempt]))
        : runs.length === 0
          ? 'no run passes the filters yet'
          : await this.text(runs, how);
      looks += 1;
      if (shown !== before) {
        if (this.jsonEnabled()) this.logJson({ type: 'status', runs: runs.map(statusToWire) });
        else if (isInPlace && before !== '')
          this.io.stdout.write(`\u001b[${before.split('\n').length}A\u001b[J${shown}\n`);
        else this.log(before === '' ? shown : `\n${shown}`);
        before = shown;
      }
      await pause(REFRESH_MS, signal);
    }
    return { looks };
  }
}
