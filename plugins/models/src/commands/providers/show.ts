import { Args, KitCommand, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { describeProvider, toWireProvider } from '../../shared/describe-provider.js';

export class ProvidersShow extends KitCommand {
  static override summary = 'Show one model provider: its origin, its address, and what it can do.';
  static override args = {
    id: Args.string({ required: true, description: 'Id of the provider.' }),
    workspace: workspaceArg,
  };
  static override flags = { workspace: workspaceFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ProvidersShow);
    const provider = await this.kit.providers.show(
      this.workspaceDir({ flag: flags.workspace, arg: args.workspace }),
      args.id,
    );
    for (const line of describeProvider(provider)) this.log(line);
    return { provider: toWireProvider(provider) };
  }
}
