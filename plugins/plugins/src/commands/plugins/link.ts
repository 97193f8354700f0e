import { Args } from '@kit-run/kit/command';
import { type Accepted, AcceptingCommand, yesFlag } from '../../accepting-command.js';

export class PluginsLink extends AcceptingCommand {
  static override summary = 'Use a plugin from its source directory; each start of kit reads its current files.';
  static override args = {
    directory: Args.string({ description: 'Directory with the package.json of the plugin.', required: true }),
  };
  static override flags = { yes: yesFlag };

  override async run(): Promise<Accepted> {
    const { args, flags } = await this.parse(PluginsLink);
    const accepted = await this.decide(await this.kit.plugins.proposeLink(args.directory), flags.yes);
    this.printAccepted(accepted);
    return accepted;
  }
}
