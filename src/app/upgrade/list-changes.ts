import compare from 'semver/functions/compare.js';
import type { BreakingChange } from '../../domain/breaking-changes.js';
import type { KitFacts, ListedChange } from '../../view/upgrade-report.js';

/** Lies after `from`, and not after `to`; both ways round for a downgrade. */
function isBetween(at: string, from: string | null, to: string | null): boolean {
  if (from === null || to === null) return false;
  const [low, high] = compare(from, to) <= 0 ? [from, to] : [to, from];
  return compare(at, low) > 0 && compare(at, high) <= 0;
}

/** The whole table, each change with whether it lies between here and the target. Pure. */
export const listChanges = (
  table: readonly BreakingChange[],
  installed: KitFacts,
  target: KitFacts,
): readonly ListedChange[] =>
  table.map((change) => ({
    ...change,
    isBetween:
      'level' in change.at
        ? isBetween(change.at.level, installed.level, target.level)
        : isBetween(change.at.version, installed.version, target.version),
  }));
