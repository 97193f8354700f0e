import { installWords, oneLine, type UpgradePlan } from '@kit-run/kit/command';

const levelOf = (level: string | null): string => (level === null ? '' : ` (interface level ${level})`);

function fitText({ name, version, range, fits }: UpgradePlan['plugins'][number]): string {
  const word = fits === null ? 'nobody can tell whether it fits' : fits ? 'fits' : 'DOES NOT FIT';
  return `plugin ${oneLine(name)} ${oneLine(version)}: ${word}${range === null ? '' : ` (plugin API ${oneLine(range)})`}`;
}

/** What an upgrade would be, for people. */
export function upgradeText(plan: UpgradePlan): string {
  const { installed, target, move, install, changes, plugins, stranded } = plan;
  const words = installWords(plan, target.version);
  const between = changes.filter(({ isBetween }) => isBetween);
  return [
    `installed  ${oneLine(installed.version)}${levelOf(installed.level)}`,
    `target     ${oneLine(target.version)}${levelOf(target.level)}`,
    `method     ${install.kind}${words === null ? '' : `: ${oneLine(words.join(' '), 1000)}`}`,
    ...(move === 'none' ? ['nothing newer: this is it'] : []),
    ...(between.length === 0 ? [] : ['breaking changes in between:']),
    ...between.map(
      ({ at, summary, migration }) =>
        `  ${'level' in at ? at.level : at.version}  ${oneLine(summary, 500)}\n           what to do: ${oneLine(migration, 500)}`,
    ),
    ...plugins.map(fitText),
    ...stranded.map(({ workspace, problem }) => `stranded: ${oneLine(workspace, 300)}: ${oneLine(problem, 300)}`),
  ].join('\n');
}
