import { KitCommand, oneLine, onlyHere, type PluginReport } from '@kit-run/kit/command';
import { reportToWire } from '../../describe-report.js';

/** `executors echo; commands greet`: what a plugin brings, point by point. */
function bringsOf({ contributions, commands }: PluginReport): string {
  const points = [...new Set(contributions.map(({ point }) => point))].map((point) => {
    const names = contributions.filter((one) => one.point === point).map(({ name }) => name);
    return `${point} ${names.join(', ')}`;
  });
  const words = commands.length === 0 ? [] : [`commands ${commands.map((id) => id.replaceAll(':', ' ')).join(', ')}`];
  return [...points, ...words].join('; ');
}

const ORIGINS = { user: 'installed', linked: 'linked', bundled: 'bundled' } as const;

/** A line for each plugin, those of the user first; below it what is wrong with it. */
function listReports(reports: readonly PluginReport[]): readonly string[] {
  const sorted = [...reports.filter(({ origin }) => origin !== 'bundled'), ...reports.filter(isBundled)];
  const width = Math.max(0, ...sorted.map((report) => titleOf(report).length));
  return sorted.flatMap((report) => [
    [titleOf(report).padEnd(width), ORIGINS[report.origin].padEnd(9), oneLine(bringsOf(report), 1_000)]
      .join('  ')
      .trim(),
    ...(report.code === null ? [] : [`  ${report.code}: ${oneLine(report.message ?? '', 1_000)}`]),
    ...report.dropped.map((what) => `  not taken: ${oneLine(what)}`),
  ]);
}

const isBundled = ({ origin }: PluginReport): boolean => origin === 'bundled';

const titleOf = ({ name, version }: PluginReport): string => oneLine(`${name} ${version}`);

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
