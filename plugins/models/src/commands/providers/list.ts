import { KitCommand, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { describeState, toWireSummary } from '../../shared/describe-provider.js';

export class ProvidersList extends KitCommand {
  static override summary =
    'List the model providers that agents of a workspace may name, and whether each could be called now.';
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ProvidersList);
    const { providers } = await this.kit.providers.list(
      this.workspaceDir({ flag: flags.workspace, arg: args.workspace }),
    );
    const width = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length));
    const ids = width(providers.map(({ id }) => id));
    const families = width(providers.map(({ family }) => family ?? '-'));
    for (const provider of providers) {
      const { id, family, source } = provider;
      this.log(
        `${id.padEnd(ids)}  ${(family ?? '-').padEnd(families)}  ${source.padEnd(9)}  ${describeState(provider.state)}`,
      );
    }
    if (providers.some(({ state }) => state.kind === 'invalid')) this.exitWith(1);
    return { providers: providers.map(toWireSummary) };
  }
}
