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
    'Reads workspace.yaml, its properties and the environment. It opens no store, except to measure how far a log in its own database is behind. Passwords are never shown. Exit code 2: a store cannot be used as configured (UNRESOLVED); the other rows are shown too.';
  static override examples = ['<%= config.bin %> storage status', '<%= config.bin %> storage status ./team --json'];
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag, color: colorFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(StorageStatus);
    const report = await this.kit.info.storage(this.workspaceDir({ flag: flags.workspace, arg: args.workspace }));
    if (!this.jsonEnabled()) {
      this.log(storageText(report, listView(this.settings, flags.color)));
    }
    if (report.stores.some(({ error }) => error !== null)) this.exitWith(2);
    return toWireStorage(report);
  }
}
