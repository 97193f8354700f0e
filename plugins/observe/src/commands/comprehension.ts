import {
  ageMs,
  colorFlag,
  Flags,
  KitCommand,
  listView,
  onlyHere,
  toWireComprehension,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { comprehensionText } from '@kit-run/kit/text/comprehension-text';

export class Comprehension extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Show approvals that were faster than a person can read.';
  static override description =
    'Reads from the log how long each gate was open before its approval. A fast approval proves nothing about a person; it is a reason to ask.';
  static override examples = [
    '<%= config.bin %> comprehension',
    '<%= config.bin %> comprehension --since 90d',
    '<%= config.bin %> comprehension --fast-approve-seconds 60 --json',
  ];
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    'fast-approve-seconds': Flags.integer({
      default: 20,
      min: 1,
      max: 86_400,
      description: 'An approval faster than this counts.',
      helpValue: 'S',
    }),
    since: Flags.string({
      default: '30d',
      description: 'Only approvals within 90s, 5m, 2h, 7d.',
      helpValue: 'TIME',
    }),
    limit: Flags.integer({
      char: 'n',
      default: 1000,
      min: 1,
      max: 1000,
      description: 'Newest of these approvals to look at.',
      helpValue: 'N',
    }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Comprehension);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const report = await this.kit.info.comprehension({
      workspace,
      fastApproveSeconds: flags['fast-approve-seconds'],
      youngerThanMs: ageMs('since', flags.since),
      limit: flags.limit,
    });
    if (!this.jsonEnabled()) {
      this.log(comprehensionText(report, listView(this.settings, flags.color)));
    }
    return toWireComprehension(report);
  }
}
