import {
  colorFlag,
  Flags,
  KitCommand,
  listView,
  toWireSystem,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';

export class System extends KitCommand {
  static override summary =
    'Show what a workspace and its kit are: versions, storage, properties, environment, plugins, command lines.';
  static override description =
    'Secrets are never shown: a secret that is there shows as the word `set`. Exit code 2: a store is UNRESOLVED (`kit storage status` says why).';
  static override examples = [
    '<%= config.bin %> system',
    '<%= config.bin %> system ./team --all',
    '<%= config.bin %> system --json',
  ];
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    all: Flags.boolean({ description: 'Also variables that are not set; with --json they are always there.' }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(System);
    const report = await this.kit.info.system(this.workspaceDir({ flag: flags.workspace, arg: args.workspace }));
    if (!this.jsonEnabled()) {
      const { systemText } = await this.renderers.info();
      this.log(systemText(report, { ...listView(this.settings, flags.color), all: flags.all }));
    }
    if (report.storage.stores.some(({ error }) => error !== null)) this.exitWith(2);
    return toWireSystem(report);
  }
}
