import {
  colorFlag,
  Flags,
  identityFlag,
  KitCommand,
  KitError,
  type ResolvedItem,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { goOnAfter } from '../../go-on.js';
import { whoIsHint } from '../../review-flags.js';

export class Review extends KitCommand {
  static override summary = 'Open the inbox: what waits for you, and everything to decide it from.';
  static override description =
    'It needs a terminal. Elsewhere: review list, review show, review resolve. Runs that a decision wakes go on here when the inbox is left, unless somebody else took them.';
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    as: identityFlag('Who decides (default: KIT_IDENTITY, `kit config set identity`, the OS user).'),
    resume: Flags.boolean({
      allowNo: true,
      description: 'Go on with the runs that were decided, or leave them (default: when nobody else takes them).',
    }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Review);
    const { stdinIsTty, stdoutIsTty, isDumbTerminal } = this.settings;
    if (!stdinIsTty || !stdoutIsTty || isDumbTerminal || this.jsonEnabled())
      throw new KitError(
        'KIT_USAGE',
        isDumbTerminal ? 'the inbox needs a terminal that can move its cursor' : 'the inbox needs a terminal',
        {
          hint: 'Run `kit review list`, then `kit review approve <run or item> --as <identity>`.',
        },
      );
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const { identity } = whoActs(this.settings, flags.as);
    await this.requireRole({ workspace, identity });
    const decided: ResolvedItem[] = [];
    const left = await this.open({ workspace, identity, color: flags.color ?? !this.settings.noColor, decided });
    this.log(`${decided.length === 1 ? 'one decision' : `${decided.length} decisions`} recorded`);
    const isInterrupted = left === 'interrupted';
    await this.goOn(decided, { workspace, identity, resume: isInterrupted ? false : flags.resume, color: flags.color });
    if (isInterrupted) this.exitWith(130);
    return undefined;
  }

  /** An inbox in which nothing can ever stand is a mistake in the name. */
  private async requireRole({ workspace, identity }: { workspace: string; identity: string }): Promise<void> {
    const page = await this.kit.review.inbox({ workspace, identity, limit: 1, afterId: null });
    if (page.roles.length > 0 || page.total > 0) return;
    const people = await this.kit.review.people({ workspace });
    throw new KitError('KIT_APPROVAL_DENIED', `${identity} is in no role of roles/`, { hint: whoIsHint(people) });
  }

  private async open(of: {
    workspace: string;
    identity: string;
    color: boolean;
    decided: ResolvedItem[];
  }): Promise<'quit' | 'interrupted'> {
    const { workspace, identity, color, decided } = of;
    const openInbox = await this.renderers.loadInbox();
    // The inbox puts the terminal back before the process goes.
    return this.untilAsked((signal) =>
      openInbox({
        app: this.kit.review,
        workspace,
        identity,
        color,
        onDecided: (one) => void decided.push(one),
        signal,
      }),
    );
  }

  /** Each run once, with its last decision. */
  private async goOn(
    decided: readonly ResolvedItem[],
    how: { workspace: string; identity: string; resume: boolean | undefined; color: boolean | undefined },
  ): Promise<void> {
    const last = new Map(decided.map((one) => [one.job.id, one]));
    const { workspace, identity: by, resume: wish } = how;
    const color = how.color ?? (!this.settings.noColor && this.settings.stderrIsTty);
    for (const { job, seq } of last.values()) {
      if (job.status !== 'pending' && job.status !== 'queued') continue;
      const run = await goOnAfter({
        runs: this.kit.runs,
        renderers: this.renderers,
        settings: this.settings,
        io: this.io,
        isJson: false,
        color,
        workspace,
        job,
        by,
        wish,
        afterSeq: seq,
      });
      this.log((await this.renderers.review()).runAfterText(run, { color, width: null, workspaceArgument: '' }));
    }
  }
}
