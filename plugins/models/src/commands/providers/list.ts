import { KitCommand, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { describeState, toWireSummary } from '../../shared/describe-provider.js';

export class ProvidersList extends KitCommand {
  static override summary = 'List the model providers that agents can name, and whether each can be called now.';
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ProvidersList);
    const { providers } = await this.kit.providers.list(
      this.workspaceDir({ flag: flags.workspace, arg: args.workspace }),
    );
    const rows = [
      ['PROVIDER', 'FAMILY', 'SOURCE', 'STATE'] as const,
      ...providers.map(({ id, family, source, state }) => [id, family ?? '-', source, describeState(state)] as const),
    ];
    const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    for (const row of rows) this.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
    if (providers.some(({ state }) => state.kind === 'invalid')) this.exitWith(1);
    return { providers: providers.map(toWireSummary) };
  }
}
