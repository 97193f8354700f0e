import {
  colorFlag,
  KitCommand,
  listView,
  onlyHere,
  toWireStorage,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { storageText } from '@kit-run/kit/text/storage-text';

export class StorageStatus extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Show the location of each store of a workspace, and the setting that decides it.';
  static override description =
    'Reads workspace.yaml, its properties and the environment, and asks the store of the runs how large it is, how old its oldest run is and which runs storage.audit.retention_days would remove now. Passwords are never shown. Exit code 2: a store cannot be used as configured (UNRESOLVED), or that of the runs does not answer; the rows are shown too.';
  static override examples = ['<%= config.bin %> storage status', '<%= config.bin %> storage status ./team --json'];
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag, color: colorFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(StorageStatus);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const { report, growth } = await this.kit.info.storageStatus(workspace);
    if (!this.jsonEnabled()) {
      this.log(storageText(report, growth, listView(this.settings, flags.color)));
    }
    if (growth.store.kind === 'unknown') this.exitWith(growth.store.exitCode);
    if (report.stores.some(({ error }) => error !== null)) this.exitWith(2);
    return toWireStorage(report, growth);
  }
}
