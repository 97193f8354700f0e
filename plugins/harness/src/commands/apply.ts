import { Args, colorFlag, Flags, KitCommand, listView, workspaceFlag } from '@kit-run/kit/command';

export class Apply extends KitCommand {
  static override summary = 'Bring what coding harnesses of a run changed into your repository.';
  static override description =
    'Merges three-way with what lies in the working tree, uncommitted work included, and writes all of it or nothing; your index and your commits stay as they are. With --branch a new branch is made from the commit that the work began with, and nothing else is touched. What people have rejected, or have yet to decide, is not applied. Exits with 1 and writes nothing where it does not fit.';
  static override examples = [
    '<%= config.bin %> apply 4f2a11c0d9be',
    '<%= config.bin %> apply 4f2a --branch kit/fix-totals',
  ];
  static override args = { run: Args.string({ required: true, description: 'Run id or a unique prefix.' }) };
  static override flags = {
    workspace: workspaceFlag,
    branch: Flags.string({ description: 'Make this new branch instead of changing files.', helpValue: 'NAME' }),
    partial: Flags.boolean({ description: 'Also take what unfinished sessions and runs left.' }),
    force: Flags.boolean({
      description: 'Also files that decide what programs do in the repository, and links out of it.',
    }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Apply);
    const workspace = this.workspaceDir({ flag: flags.workspace });
    const { branch = null, partial, force } = flags;
    const applied = await this.kit.changes.apply({ workspace, run: args.run, branch, partial, force });
    const { appliedText, appliedJson } = await this.renderers.changes();
    this.log(appliedText(applied, listView(this.settings, flags.color)));
    return appliedJson(applied);
  }
}
