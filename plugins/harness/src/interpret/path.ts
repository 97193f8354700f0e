import type { Json } from '@kit-run/kit/plugin';
import type { Scalar } from '../adapter/spec.js';

/** One step down; list parts are indexes, negative ones count from the end. Own properties only. */
function child(value: Json | undefined, part: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return /^-?\d+$/.test(part) ? value.at(Number(part)) : undefined;
  const entry = Object.entries(value).find(([key]) => key === part);
  return entry?.[1];
}

/**
 * The value at a dotted path, with or without the leading `$.`; `$` is the value itself. Absent =
 * undefined.
 */
export function valueAt(value: Json, path: string): Json | undefined {
  if (path === '$' || path === '') return value;
  const parts = (path.startsWith('$.') ? path.slice(2) : path).split('.');
  return parts.reduce<Json | undefined>((current, part) => child(current, part), value);
}

/**
 * Literal equality on every listed path; an empty condition matches everything. `null` matches what
 * is not there as well.
 */
export function matches(value: Json, condition: Readonly<Record<string, Scalar>>): boolean {
  return Object.entries(condition).every(([path, literal]) => (valueAt(value, path) ?? null) === literal);
}

/** Items of a `for_each`: a list's elements, an object's values, nothing otherwise. */
export function itemsAt(value: Json, path: string): readonly Json[] {
  const found = valueAt(value, path);
  if (typeof found !== 'object' || found === null) return [];
  return Array.isArray(found) ? found : Object.values(found);
}
