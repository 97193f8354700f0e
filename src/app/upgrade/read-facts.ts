import valid from 'semver/functions/valid.js';
import { listAt, numberAt, objectAt, objectsAt, textAt } from '../../compile/read.js';
import type { BreakingChange } from '../../domain/breaking-changes.js';
import type { JsonObject } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';
import type { KitFacts } from '../../view/upgrade-report.js';

/** A package of kit: what it says of itself, and the changes that it knows. */
export interface KitPackage {
  readonly name: string;
  readonly facts: KitFacts;
  /** Null: it carries no table. */
  readonly breaking: readonly BreakingChange[] | null;
}

const MAX_CHANGES = 200;
const MAX_ENGINES = 1000;
const NUMBERS = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/;
/** Three numbers, as a level and a version of the plugin API are; else nobody knows it. */
const numbersAt = (value: JsonObject | null, key: string): string | null => {
  const text = textAt(value, key);
  return text !== null && NUMBERS.test(text) ? text : null;
};
const bounded = (text: string | null): string => (text ?? '').slice(0, 500);

/**
 * A package.json, of here or as a registry gives it, which nobody vouches for; null = it is none.
 */
export function readKitPackage(value: unknown): KitPackage | null {
  if (!isObject(value)) return null;
  const version = textAt(value, 'version');
  const name = textAt(value, 'name');
  if (version === null || name === null || valid(version) !== version) return null;
  const runtime = objectAt(value, 'kitRuntime');
  const engines = listAt(runtime, 'engines')
    .slice(0, MAX_ENGINES)
    .filter((one) => typeof one === 'number');
  const breaking = objectsAt(runtime, 'breaking')
    .slice(0, MAX_CHANGES)
    .flatMap((change): readonly BreakingChange[] => {
      const [level, from] = [textAt(change, 'level'), textAt(change, 'version')];
      const at = level !== null ? { level } : from !== null ? { version: from } : null;
      if (at === null || !NUMBERS.test(level ?? from ?? '')) return [];
      return [{ at, summary: bounded(textAt(change, 'summary')), migration: bounded(textAt(change, 'migration')) }];
    });
  return {
    name,
    facts: {
      version,
      level: numbersAt(runtime, 'level'),
      engines: engines.length === 0 ? null : engines,
      store: numberAt(runtime, 'store'),
      pluginApi: numbersAt(runtime, 'pluginApi'),
    },
    breaking: runtime !== null && runtime.breaking !== undefined ? breaking : null,
  };
}
