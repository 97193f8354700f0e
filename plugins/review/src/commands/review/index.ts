import {
  colorFlag,
  Flags,
  identityFlag,
  isAtServer,
  KitCommand,
  KitError,
  pastePlace,
  type ResolvedItem,
  type Who,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { runAfterText } from '@kit-run/kit/text/item-text';
import { whoIsHint } from '../../review-flags.js';
import { type LeftBy, WokenRuns } from '../../woken-runs.js';

export class Review extends KitCommand {
  static override summary = 'Open the inbox: what waits for your decision, with everything you need to decide.';
  static override description =
    'The inbox needs a terminal. Without one: review list, review show, review resolve. After the last decision a run continues at once: here, unless another process claims it within a second. When you leave, the inbox waits for such a run; Ctrl-C stops it.';
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    as: identityFlag('Who decides (default: KIT_IDENTITY, `kit config set identity`, the OS user).'),
    resume: Flags.boolean({
      allowNo: true,
      description: 'Continue decided runs here, or never (default: only when no other process claims them).',
    }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Review);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const { stdinIsTty, stdoutIsTty, isDumbTerminal } = this.settings;
    // A server knows who asks.
    const atServer = isAtServer(this.settings);
    if (!stdinIsTty || !stdoutIsTty || isDumbTerminal || this.jsonEnabled())
      throw new KitError(
        'KIT_USAGE',
        isDumbTerminal ? 'the inbox needs a terminal that can move its cursor' : 'the inbox needs a terminal',
        {
          hint: `Run \`kit review list\`, then \`kit review approve <run or item>${atServer ? '' : ' --as <identity>'}\`.`,
        },
      );
    const who = whoActs(this.settings, flags.as);
    const { identity } = who;
    await this.requireRole(workspace, who);
    const color = flags.color ?? !this.settings.noColor;
    const runs = new WokenRuns({
      runs: this.kit.runs,
      settings: this.settings,
      io: this.io,
      isJson: false,
      color: flags.color ?? (!this.settings.noColor && this.settings.stderrIsTty),
      workspace,
      by: identity,
      wish: flags.resume,
    });
    let count = 0;
    const left = await this.open({ workspace, identity, color }, (one, report) => {
      count += 1;
      runs.take(one, report);
    });
    this.log(`${count === 1 ? 'one decision' : `${count} decisions`} recorded`);
    for await (const run of runs.ended(left))
      this.log(
        runAfterText(run, {
          color,
          width: null,
          workspaceArgument: pastePlace(this.settings, flags.workspace ?? args.workspace),
        }),
      );
    if (left === 'interrupted') this.exitWith(130);
    return undefined;
  }

  /** An inbox in which nothing can ever stand is a mistake in the name. */
  private async requireRole(workspace: string, who: Who): Promise<void> {
    const { identity } = who;
    const page = await this.kit.review.inbox({ workspace, identity, limit: 1, afterId: null });
    if (page.roles.length > 0 || page.total > 0 || page.elsewhere.length > 0) return;
    const people = await this.kit.review.people({ workspace });
    throw new KitError('KIT_APPROVAL_DENIED', `${identity} is in no role of roles/`, { hint: whoIsHint(people, who) });
  }

  private async open(
    of: { readonly workspace: string; readonly identity: string; readonly color: boolean },
    onDecided: (decided: ResolvedItem, report: (text: string) => void) => void,
  ): Promise<LeftBy> {
    const openInbox = await this.screens.loadInbox();
    // The inbox puts the terminal back before the process goes.
    return this.untilAsked((signal) => openInbox({ app: this.kit.review, ...of, onDecided, signal }));
  }
}
