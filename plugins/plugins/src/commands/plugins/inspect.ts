import { Args, hintFor, KitCommand, KitError, onlyHere } from '@kit-run/kit/command';
import { describeReport, reportToWire } from '../../describe-report.js';

export class PluginsInspect extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Show what each plugin contributes, what of it was refused, and its errors.';
  static override args = { plugin: Args.string({ description: 'Package name; all plugins without it.' }) };

  override async run(): Promise<unknown> {
    const { args } = await this.parse(PluginsInspect);
    const all = await this.kit.plugins.report();
    const plugins = args.plugin === undefined ? all : all.filter(({ name }) => name === args.plugin);
    if (args.plugin !== undefined && plugins.length === 0) {
      const known = all.map(({ name }) => name);
      throw new KitError('KIT_PLUGIN_UNKNOWN', `there is no plugin ${args.plugin}`, {
        hint: hintFor(args.plugin, known, { fallback: 'Run `kit plugins list` to list the plugins.' }),
      });
    }
    for (const line of plugins.flatMap(describeReport)) this.log(line);
    return { plugins: plugins.map(reportToWire) };
  }
}
