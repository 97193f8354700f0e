import type { JsonObject } from '../domain/json.js';
import type { UpgradePlan } from './upgrade-report.js';

/** What an upgrade would be, as `--json` shows it. */
export const toWireUpgrade = ({
  installed,
  target,
  move,
  install,
  changes,
  plugins,
  stranded,
}: UpgradePlan): JsonObject => ({
  installed: installed.version,
  installed_level: installed.level,
  target: target.version,
  target_level: target.level,
  behind: move === 'upgrade',
  method: install.kind,
  command: 'command' in install ? [...install.command] : null,
  breaking_changes: changes.map(({ at, summary, migration, isBetween }) => ({
    ...('level' in at ? { level: at.level } : { version: at.version }),
    summary,
    migration,
    between: isBetween,
  })),
  plugins: plugins.map(({ name, version, range, fits }) => ({ name, version, range, fits })),
  stranded: stranded.map(({ workspace, problem }) => ({ workspace, problem })),
});
