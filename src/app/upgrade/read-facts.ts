import { isObject } from '../../compile/document.js';
import { listAt, numberAt, objectAt, objectsAt, textAt } from '../../compile/read.js';
import type { BreakingChange } from '../../domain/breaking-changes.js';
import type { KitFacts } from '../../view/upgrade-report.js';

/** A package of kit: what it says of itself, and the changes that it knows. */
export interface KitPackage {
  readonly name: string;
  readonly facts: KitFacts;
  /** Null: it carries no table. */
  readonly breaking: readonly BreakingChange[] | null;
}

const MAX_CHANGES = 200;
const bounded = (text: string | null): string => (text ?? '').slice(0, 500);

/** A package.json, of here or as a registry gives it; null = it is none. */
export function readKitPackage(value: unknown): KitPackage | null {
  if (!isObject(value)) return null;
  const version = textAt(value, 'version');
  const name = textAt(value, 'name');
  if (version === null || name === null || !/^\d+\.\d+\.\d+[\w.+-]{0,100}$/.test(version)) return null;
  const runtime = objectAt(value, 'kitRuntime');
  const engines = listAt(runtime, 'engines').filter((one) => typeof one === 'number');
  const breaking = objectsAt(runtime, 'breaking')
    .slice(0, MAX_CHANGES)
    .flatMap((change): readonly BreakingChange[] => {
      const [level, from] = [textAt(change, 'level'), textAt(change, 'version')];
      const at = level !== null ? { level } : from !== null ? { version: from } : null;
      if (at === null || !/^\d+\.\d+\.\d+$/.test(level ?? from ?? '')) return [];
      return [{ at, summary: bounded(textAt(change, 'summary')), migration: bounded(textAt(change, 'migration')) }];
    });
  return {
    name,
    facts: {
      version,
      level: textAt(runtime, 'level'),
      engines: engines.length === 0 ? null : engines,
      store: numberAt(runtime, 'store'),
      pluginApi: textAt(runtime, 'pluginApi'),
    },
    breaking: runtime !== null && runtime.breaking !== undefined ? breaking : null,
  };
}
