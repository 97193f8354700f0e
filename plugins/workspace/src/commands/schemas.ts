import { Args, Flags, KitCommand, oneLine, onlyHere } from '@kit-run/kit/command';

/** The schemas of a workspace's files, for editors. */
export class Schemas extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Copy the schemas beside a workspace, so that editors complete and check its files.';
  static override description =
    'Without --write it shows what it would write. --write copies the JSON schemas of this kit into .vscode/kit-schemas, and maps them to files in .vscode/settings.json for VS Code (with the extension redhat.vscode-yaml); other settings stay. A schema line with a path of one machine becomes relative. Commit the files: they work for everybody who clones the repository. Run it again after an upgrade of kit.';
  static override examples = ['<%= config.bin %> schemas', '<%= config.bin %> schemas --write'];
  static override args = { workspace: Args.string({ description: 'Directory of the workspace.', ignoreStdin: true }) };
  static override flags = { write: Flags.boolean({ description: 'Write the files.' }) };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Schemas);
    const workspace = this.workspaceDir(args.workspace === undefined ? {} : { arg: args.workspace });
    const { directory, kinds, changes, isWritten, paste } = await this.kit.authoring.schemas({
      workspace,
      write: flags.write,
    });
    if (changes.length === 0) this.log(`the schemas in ${directory} are those of this kit`);
    else this.log(`${isWritten ? 'written' : 'it would write'} in ${directory}:`);
    for (const path of changes) this.log(`  ${oneLine(path, 300)}`);
    if (paste !== null)
      this.log(
        `.vscode/settings.json has comments or is not JSON object, so kit leaves it alone; put this into it:\n${paste}`,
      );
    if (changes.length > 0 && !isWritten) this.log(`to write them: ${this.config.bin} schemas --write`);
    return { directory, changes, written: isWritten, paste, kinds };
  }
}
