import type { JsonObject } from '../domain/json.js';
import type { UpgradePlan } from './upgrade-report.js';

/** Stands for the package with its version in the command of a plan. */
export const TARGET = '{target}';

type Planned = Pick<UpgradePlan, 'name' | 'install'>;

/** What installs this version here, word by word; null = an upgrade is not kit's to make. */
export const installWords = ({ name, install }: Planned, version: string): readonly [string, ...string[]] | null => {
  if (!('command' in install)) return null;
  const [program, ...words] = install.command;
  return [program, ...words.map((word) => (word === TARGET ? `${name}@${version}` : word))];
};

/** What an upgrade would be, as `--json` shows it. */
export const toWireUpgrade = (plan: UpgradePlan): JsonObject => ({
  ...shown(plan),
  command: installWords(plan, plan.target.version)?.slice() ?? null,
});

const shown = ({ installed, target, move, install, changes, plugins, stranded }: UpgradePlan): JsonObject => ({
  installed: installed.version,
  installed_level: installed.level,
  target: target.version,
  target_level: target.level,
  behind: move === 'upgrade',
  method: install.kind,
  breaking_changes: changes.map(({ at, summary, migration, isBetween }) => ({
    ...('level' in at ? { level: at.level } : { version: at.version }),
    summary,
    migration,
    between: isBetween,
  })),
  plugins: plugins.map(({ name, version, range, fits }) => ({ name, version, range, fits })),
  stranded: stranded.map(({ workspace, problem }) => ({ workspace, problem })),
});
