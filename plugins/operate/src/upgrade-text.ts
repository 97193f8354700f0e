import { oneLine, type UpgradePlan } from '@kit-run/kit/command';

const levelOf = (level: string | null): string => (level === null ? '' : ` (interface level ${level})`);

function fitText({ name, version, range, fits }: UpgradePlan['plugins'][number]): string {
  const word = fits === null ? 'nobody can tell whether it fits' : fits ? 'fits' : 'DOES NOT FIT';
  return `plugin ${oneLine(name)} ${oneLine(version)}: ${word}${range === null ? '' : ` (plugin API ${oneLine(range)})`}`;
}

/** What an upgrade would be, for people. */
export function upgradeText({ installed, target, move, install, changes, plugins, stranded }: UpgradePlan): string {
  const between = changes.filter(({ isBetween }) => isBetween);
  return [
    `installed  ${oneLine(installed.version)}${levelOf(installed.level)}`,
    `target     ${oneLine(target.version)}${levelOf(target.level)}`,
    `method     ${install.kind}${'command' in install ? `: ${install.command.join(' ').replace('{target}', oneLine(target.version))}` : ''}`,
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
