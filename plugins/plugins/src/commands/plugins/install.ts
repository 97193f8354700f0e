import { Args } from '@kit-run/kit/command';
import { type Accepted, AcceptingCommand, yesFlag } from '../../accepting-command.js';

export class PluginsInstall extends AcceptingCommand {
  static override summary = 'Install a plugin after showing what it contributes and may do; its scripts never run.';
  static override examples = [
    '<%= config.bin %> plugins install @acme/kit-plugin-slack',
    '<%= config.bin %> plugins install ./my-plugin-1.0.0.tgz --yes',
  ];
  static override args = {
    plugin: Args.string({ description: 'Package name (with @tag or @version), tarball, or URL.', required: true }),
  };
  static override flags = { yes: yesFlag };

  override async run(): Promise<Accepted> {
    const { args, flags } = await this.parse(PluginsInstall);
    const accepted = await this.decide(await this.kit.plugins.proposeInstall(args.plugin), flags.yes);
    this.printAccepted(accepted);
    return accepted;
  }
}
