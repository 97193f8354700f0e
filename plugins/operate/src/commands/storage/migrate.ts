import { toWireMovePlan, toWireMoveReport, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { movePlanText, moveReportText } from '@kit-run/kit/text/moving-text';
import { StorageCommand, storageFlags } from '../../storage-command.js';

export class StorageMigrate extends StorageCommand {
  static override summary = 'Copy the SQLite store of a workspace into the PostgreSQL that its settings now name.';
  static override description =
    `Copies missing rows in short transactions. Interrupt it at any time; the next call continues. At the end every table is \
compared by count and digest. The SQLite files are only read, and stay. Stop every process that uses either store first.
Exit codes: 0 done or nothing to do, 1 the two stores differ, 2 refused: nothing was written.`;
  static override examples = [
    '<%= config.bin %> storage migrate --dry-run',
    '<%= config.bin %> storage migrate ./team --yes --json',
  ];
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag, ...storageFlags };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(StorageMigrate);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const plan = await this.kit.storage.planMigration(workspace);
    if (!this.jsonEnabled()) this.log(movePlanText(plan, this.view(flags.color)));
    if (flags['dry-run']) return toWireMovePlan(plan);
    // Asked again it reports what the migration did: nothing is copied, and nobody is asked.
    if (plan.state === 'done')
      return toWireMoveReport(await this.kit.storage.migrate({ workspace, onProgress: () => undefined }));
    if (!(await this.isWanted(`Copy everything to ${plan.target}?`, flags.yes))) return toWireMovePlan(plan);
    const progress = this.progress();
    const report = await this.kit.storage
      .migrate({
        workspace,
        onProgress: ({ doing, table, rows, of }) =>
          progress.show(rows, of, `${doing === 'copy' ? 'copied' : 'compared'} ${table}`),
      })
      .finally(() => progress.end());
    if (!this.jsonEnabled()) this.log(`\n${moveReportText(report, this.view(flags.color))}`);
    return toWireMoveReport(report);
  }
}
