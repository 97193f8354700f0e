import { KitCommand, onlyHere } from '@kit-run/kit/command';
import { reportToWire } from '../../describe-report.js';
import { listReports } from '../../list-reports.js';

export class PluginsList extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'List the plugins: version, origin, contributions, and errors.';
  static override description = 'No code of a plugin is loaded. `kit plugins` alone does the same.';
  static override aliases = ['plugins'];

  override async run(): Promise<unknown> {
    await this.parse(PluginsList);
    const plugins = await this.kit.plugins.report();
    for (const line of listReports(plugins)) this.log(line);
    return { plugins: plugins.map(reportToWire) };
  }
}
