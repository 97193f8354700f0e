import { Args, colorFlag, Flags, KitCommand, listView, onlyHere, workspaceFlag } from '@kit-run/kit/command';
import { appliedText } from '@kit-run/kit/text/applied-text';
import { appliedJson } from '@kit-run/kit/text/changes-json';

export class Apply extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Apply the changes that coding harnesses of a run made to your repository.';
  static override description =
    'A three-way merge with the working tree, uncommitted work included. It writes all files or none; your index and commits are not changed. --branch makes a new branch from the commit that the work began with, and changes nothing else. Changes that people rejected, or have not decided, are not applied. Exit code 1: the changes conflict, and nothing was written.';
  static override examples = [
    '<%= config.bin %> apply 4f2a11c0d9be',
    '<%= config.bin %> apply 4f2a --branch kit/fix-totals',
  ];
  static override args = { run: Args.string({ required: true, description: 'Run id or a unique prefix.' }) };
  static override flags = {
    workspace: workspaceFlag,
    branch: Flags.string({ description: 'Make this new branch instead of changing files.', helpValue: 'NAME' }),
    partial: Flags.boolean({ description: 'Also apply the changes of unfinished sessions and runs.' }),
    force: Flags.boolean({
      description: 'Also apply files that control programs of the repository, and links that lead out of it.',
    }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Apply);
    const workspace = this.workspaceDir({ flag: flags.workspace });
    const { branch = null, partial, force } = flags;
    const applied = await this.kit.changes.apply({ workspace, run: args.run, branch, partial, force });
    this.log(appliedText(applied, listView(this.settings, flags.color)));
    return appliedJson(applied);
  }
}
