import { Args, colorFlag, Flags, KitCommand, listView, namedOrNewest, workspaceFlag } from '@kit-run/kit/command';
import { changesJson } from '@kit-run/kit/text/changes-json';
import { diffStatText, diffText } from '@kit-run/kit/text/diff-text';

export class Diff extends KitCommand {
  static override summary = 'Show what coding harnesses of a run changed.';
  static override description =
    'On a terminal each agent has a heading with the size of its change and who signed it. A pipe gets the unified diff alone, for `git apply`. `kit apply` applies it.';
  static override examples = [
    '<%= config.bin %> diff 4f2a11c0d9be',
    '<%= config.bin %> diff 4f2a --stat',
    '<%= config.bin %> diff 4f2a builder | git apply --stat',
  ];
  static override args = {
    run: Args.string({ description: 'Run id or a unique prefix (default: the newest run that changed something).' }),
    agent: Args.string({ description: 'Only what this agent changed.' }),
  };
  static override flags = {
    workspace: workspaceFlag,
    stat: Flags.boolean({ description: 'Show only the changed lines of each file.' }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Diff);
    const workspace = this.workspaceDir({ flag: flags.workspace });
    const run = await namedOrNewest(this.kit, {
      workspace,
      named: args.run,
      notice: (text) => this.logToStderr(text),
      fits: ({ job }) => (job.diffLength ?? 0) > 0,
    });
    const found = await this.kit.changes.read({ workspace, run, agent: args.agent ?? null });
    if (this.jsonEnabled()) return changesJson(found, { withDiff: !flags.stat });
    const { color } = listView(this.settings, flags.color);
    if (flags.stat) this.log(diffStatText(found, { color }));
    else if (this.settings.stdoutIsTty) this.log(diffText(found, { color }));
    else this.io.stdout.write(found.changes.map(({ diff }) => diff).join(''));
    return undefined;
  }
}
