import { Args, KitCommand } from '@kit-run/kit/command';

export class PluginsInspect extends KitCommand {
  static override summary = 'Show what each plugin contributes, and what was refused.';
  static override args = { name: Args.string({ description: 'Package name; all plugins without it.' }) };

  override async run(): Promise<unknown> {
    await this.parse(PluginsInspect);
    return { plugins: await this.kit.plugins.report() };
  }
}
