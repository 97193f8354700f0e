import {
  Args,
  Flags,
  KitCommand,
  KitError,
  runAndWorkspace,
  showPage,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';

/** Shows a page of the console. */
export class Open extends KitCommand {
  static override summary = 'Show a run, a gate or a review item in a browser; without one, what waits for you.';
  static override description =
    'The page is one of the console that `kit serve` serves: at --server, else at server.public_url, else at server.host and server.port of the workspace. The address is printed, also where no browser can be opened.';
  static override examples = [
    '<%= config.bin %> open',
    '<%= config.bin %> open 4f2a',
    '<%= config.bin %> open 4f2a --no-browser',
  ];
  static override args = {
    what: Args.string({ description: 'Id of a run, gate or item, or its beginning.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    browser: Flags.boolean({ description: 'Open a browser.', default: true, allowNo: true }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Open);
    const place = runAndWorkspace({ run: args.what, workspace: args.workspace }, this.settings.cwd);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: place.workspace });
    const found = place.run === undefined ? null : await this.find(workspace, place.run);
    const shown = await showPage(
      { kit: this.kit, browser: this.browser, out: this },
      {
        workspace,
        page: (links) => (found === null ? links.home : links[found.kind](found.id)),
        opens: flags.browser,
      },
    );
    return { ...shown, kind: found?.kind ?? null, id: found?.id ?? null };
  }

  /**
   * A run or a gate, else an item. Throws KIT_JOB_ID_AMBIGUOUS, KIT_ITEM_AMBIGUOUS,
   * KIT_ITEM_UNKNOWN.
   */
  private async find(
    workspace: string,
    what: string,
  ): Promise<{ readonly kind: 'run' | 'gate' | 'item'; readonly id: string }> {
    const { review } = this.kit;
    try {
      const { job, gates } = await review.why({ workspace, what });
      const gate = gates.find(({ gateId }) => gateId === what);
      return gate === undefined ? { kind: 'run', id: job.id } : { kind: 'gate', id: gate.gateId };
    } catch (error) {
      if (!(error instanceof KitError && (error.code === 'KIT_JOB_UNKNOWN' || error.code === 'KIT_GATE_UNKNOWN')))
        throw error;
    }
    try {
      const { item } = await review.show({ workspace, item: what });
      return { kind: 'item', id: item.id };
    } catch (error) {
      if (!(error instanceof KitError && error.code === 'KIT_ITEM_UNKNOWN')) throw error;
      throw new KitError(error.code, `no run, gate or item is called ${what}`, {
        cause: error,
        hint: 'Run `kit status` to list the runs, `kit review list` to see what waits for a decision.',
      });
    }
  }
}
