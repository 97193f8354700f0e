import type { JsonObject } from '../domain/json.js';
import { installWords, type UpgradePlan } from './upgrade-report.js';

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
