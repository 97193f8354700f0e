import {
  Flags,
  type FleetOverview,
  KitCommand,
  KitError,
  listView,
  pastePlace,
  pause,
  toWireFleet,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { stopText } from '@kit-run/kit/text/stop-text';
import { topText } from '@kit-run/kit/text/top-text';
import { whyText } from '@kit-run/kit/text/why-text';

const REFRESH_MS = 1_000;

export class Top extends KitCommand {
  static override summary = 'Watch the queue, the servers and workers, the runs and the open gates.';
  static override description =
    'On a terminal the screen is refreshed every second: arrows choose a run or a gate, Enter shows why it is in its state, s stops it after a question, / filters, ? lists the keys, q quits. In a pipe, or with --once, it prints one page of text; with --json one document, and with --json --watch one a second.';
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    once: Flags.boolean({ description: 'Print one page and end, also on a terminal.' }),
    watch: Flags.boolean({ description: 'With --json: one document a line, every second.', exclusive: ['once'] }),
    limit: Flags.integer({
      default: 20,
      min: 1,
      max: 200,
      description: 'Most servers, runs and gates to list, each.',
    }),
    color: Flags.boolean({ description: 'Colours, whatever the terminal and NO_COLOR say.', allowNo: true }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Top);
    if (flags.watch && !this.jsonEnabled())
      throw new KitError('KIT_USAGE', '--watch needs --json', {
        hint: 'Leave it out: on a terminal the page is read again every second.',
      });
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const read = (): Promise<FleetOverview> => this.kit.fleet.overview({ workspace, limit: flags.limit });
    if (flags.watch) return this.untilAsked((signal) => this.watch(read, signal));
    const { stdinIsTty, stdoutIsTty, isDumbTerminal, ci } = this.settings;
    const isScreen = stdinIsTty && stdoutIsTty && !isDumbTerminal && !ci && !flags.once && !this.jsonEnabled();
    return isScreen
      ? this.screen(read, {
          workspace,
          color: flags.color ?? !this.settings.noColor,
          named: flags.workspace ?? args.workspace ?? '',
        })
      : this.page(read, flags.color);
  }

  private async page(read: () => Promise<FleetOverview>, color: boolean | undefined): Promise<unknown> {
    const overview = await read();
    if (!this.jsonEnabled()) {
      this.log(topText(overview, listView(this.settings, color)));
    }
    return toWireFleet(overview);
  }

  private async screen(read: () => Promise<FleetOverview>, of: Shown): Promise<undefined> {
    // What cannot be opened at all is refused before the terminal is taken.
    await read();
    const openTop = await this.screens.loadTop();
    const screen = { ...of, read, refreshMs: REFRESH_MS, why: this.whyOf(of), stop: this.stopOf(of) };
    // Whoever asks the process to go gets the terminal back first.
    const left = await this.untilAsked((signal) => openTop({ ...screen, signal }));
    if (left === 'interrupted') this.exitWith(130);
    return undefined;
  }

  private whyOf({ workspace, color, named }: Shown): (what: string) => Promise<string> {
    return async (what) => {
      const report = await this.kit.review.why({ workspace, what });
      const workspaceArgument = pastePlace(this.settings, named);
      return whyText(report, { ...listView(this.settings, color), workspaceArgument });
    };
  }

  private stopOf({ workspace, named }: Shown): (run: string) => Promise<string> {
    return async (job) => {
      const by = `cli:${whoActs(this.settings, undefined).identity}`;
      return stopText(await this.kit.runs.stop({ workspace, job, by }), named);
    };
  }

  /**
   * One document a line until somebody asks the process to go; the last says how many there were.
   */
  private async watch(read: () => Promise<FleetOverview>, signal: AbortSignal): Promise<{ readonly looks: number }> {
    let looks = 0;
    while (!signal.aborted && !this.stdout.closed.aborted) {
      this.logJson({ type: 'fleet', ...toWireFleet(await read()) });
      looks += 1;
      await pause(REFRESH_MS, signal);
    }
    return { looks };
  }
}

/** What is shown, and how. */
interface Shown {
  readonly workspace: string;
  readonly color: boolean;
  /** The workspace as it was named, for lines to paste; '' = it was found. */
  readonly named: string;
}
