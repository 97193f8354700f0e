import { Args, KitCommand, onlyHere } from '@kit-run/kit/command';

export class PluginsUninstall extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Remove a plugin that was installed or linked.';
  static override aliases = ['plugins:unlink'];
  static override args = { plugin: Args.string({ description: 'Package name.', required: true }) };

  override async run(): Promise<{ readonly name: string; readonly state: 'removed' }> {
    const { args } = await this.parse(PluginsUninstall);
    await this.kit.plugins.uninstall(args.plugin);
    this.log(`${args.plugin}: removed`);
    return { name: args.plugin, state: 'removed' };
  }
}
