import {
  colorFlag,
  Flags,
  KitCommand,
  listView,
  onlyHere,
  toWireSystem,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { systemText } from '@kit-run/kit/text/system-text';

export class System extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary =
    'Show versions, storage, properties, environment, plugins and command lines of a workspace.';
  static override description =
    'Secrets are never shown: a secret that has a value shows as `set`. Exit code 2: a store is UNRESOLVED (`kit storage status` says why).';
  static override examples = [
    '<%= config.bin %> system',
    '<%= config.bin %> system ./team --all',
    '<%= config.bin %> system --json',
  ];
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    all: Flags.boolean({ description: 'Also show variables that are not set; --json always has them.' }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(System);
    const report = await this.kit.info.system(this.workspaceDir({ flag: flags.workspace, arg: args.workspace }));
    if (!this.jsonEnabled()) {
      this.log(systemText(report, { ...listView(this.settings, flags.color), all: flags.all }));
    }
    if (report.storage.stores.some(({ error }) => error !== null)) this.exitWith(2);
    return toWireSystem(report);
  }
}
