import { Flags, KitError, toWirePrune, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { pruneText } from '@kit-run/kit/text/moving-text';
import { StorageCommand, storageFlags } from '../../storage-command.js';

export class StoragePrune extends StorageCommand {
  static override summary = 'Remove runs and lines of the access log that are older than storage.audit.retention_days.';
  static override description =
    `Removes whole runs with their events, steps, gates, decisions, artifacts and large results: runs that completed, failed or were stopped \
longer ago than the retention (default 365 days, by the clock of the store). A run with an open gate or item stays. The id, the number of events \
and the last digest of each removed run are kept. The runs are counted beforehand; rows, blobs and bytes are estimated from a sample of them, or \
counted one by one with --exact, which reads everything that would go. Besides this command only a server removes audit: kit serve with \
storage.audit.prune_every_hours.
Exit codes: 0 done or nothing to do, 2 refused: nothing was written.`;
  static override examples = [
    '<%= config.bin %> storage prune --dry-run',
    '<%= config.bin %> storage prune --dry-run --exact --json',
    '<%= config.bin %> storage prune --older-than-days 730 --yes',
  ];
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    ...storageFlags,
    exact: Flags.boolean({ description: 'Count rows and pages one by one first; slow for a large store.' }),
    'older-than-days': Flags.string({
      description: 'Minimum age in days; at least the retention of the workspace.',
      helpValue: 'N',
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(StoragePrune);
    const ask = {
      workspace: this.workspaceDir({ flag: flags.workspace, arg: args.workspace }),
      olderThanDays: daysOf(flags['older-than-days']),
    };
    const plan = await this.kit.storage.planPrune({ ...ask, method: flags.exact ? 'exact' : 'estimate' });
    const view = this.view(flags.color);
    if (!this.jsonEnabled()) this.log(pruneText(plan, { ...view, isDryRun: true }));
    const isNothing = plan === null || Object.values(plan.rows).every((rows) => rows === 0);
    if (flags['dry-run'] || isNothing) return toWirePrune(plan, flags['dry-run']);
    if (!(await this.isWanted(`Remove ${plan.runs} runs for good?`, flags.yes))) return toWirePrune(plan, true);
    const progress = this.progress();
    const removed = await this.kit.storage
      .prune({ ...ask, onProgress: ({ runs, of }) => progress.show(runs, of, 'runs removed') })
      .finally(() => progress.end());
    if (!this.jsonEnabled()) this.log(`\n${pruneText(removed, { ...view, isDryRun: false })}`);
    return toWirePrune(removed, false);
  }
}

/** Throws KIT_USAGE for what is not a whole number of days. */
function daysOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new KitError(
    'KIT_USAGE',
    `--older-than-days is not a whole number of days: ${JSON.stringify(text.slice(0, 40))}`,
    {
      hint: 'Give a number of days, as in --older-than-days 730.',
    },
  );
}
