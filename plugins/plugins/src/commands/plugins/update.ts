import { Args, oneLine } from '@kit-run/kit/command';
import { type Accepted, AcceptingCommand, yesFlag } from '../../accepting-command.js';

export class PluginsUpdate extends AcceptingCommand {
  static override summary = 'Update plugins from their origin, after showing the difference.';
  static override args = { plugin: Args.string({ description: 'Package name; all installed plugins without it.' }) };
  static override flags = { yes: yesFlag };

  override async run(): Promise<{ readonly plugins: readonly Accepted[] }> {
    const { args, flags } = await this.parse(PluginsUpdate);
    const names = args.plugin === undefined ? await this.kit.plugins.updatable() : [args.plugin];
    const plugins: Accepted[] = [];
    for (const name of names) {
      const proposal = await this.kit.plugins.proposeUpdate(name);
      const accepted = await this.decide(proposal, flags.yes);
      this.printAccepted(accepted);
      if (accepted.state === 'unchanged' && proposal.spec.startsWith('file:'))
        this.logToStderr(`  from ${oneLine(proposal.spec.slice(5))}; another file: kit plugins install FILE`);
      plugins.push(accepted);
    }
    return { plugins };
  }
}
