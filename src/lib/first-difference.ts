import { isObject } from './json.js';

/**
 * The first place at which two JSON values differ; a side is undefined where it holds nothing
 * there.
 */
export interface Difference {
  /** JSON Pointer; '' = the values themselves. */
  readonly pointer: string;
  readonly left: unknown;
  readonly right: unknown;
}

/**
 * Compares members in the order of `left`, then those that only `right` has, and array items in
 * order; null = the values are equal as JSON. Members that are undefined count as absent.
 */
export function firstDifference(left: unknown, right: unknown, pointer = ''): Difference | null {
  if (left === right) return null;
  if (Array.isArray(left) && Array.isArray(right)) {
    const length = Math.max(left.length, right.length);
    return firstOf(
      Array.from({ length }, (_, index) => [String(index), left[index], right[index]] as const),
      pointer,
    );
  }
  if (!isObject(left) || !isObject(right)) return { pointer, left, right };
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return firstOf(
    names.map((name) => [name, memberOf(left, name), memberOf(right, name)] as const),
    pointer,
  );
}

function firstOf(members: readonly (readonly [string, unknown, unknown])[], pointer: string): Difference | null {
  for (const [name, left, right] of members) {
    const found = firstDifference(left, right, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (found !== null) return found;
  }
  return null;
}

type Members = Readonly<Record<string, unknown>>;

const memberOf = (value: Members, name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);

const BEFORE_CHARS = 20;
const SHOWN_CHARS = 80;

/**
 * Both sides of a difference in a few words; long texts are shown from just before the first
 * character that differs.
 */
export function describeDifference(difference: Difference): { readonly left: string; readonly right: string } {
  const { left, right } = difference;
  if (typeof left !== 'string' || typeof right !== 'string') return { left: shown(left, 0), right: shown(right, 0) };
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at += 1;
  const from = at <= BEFORE_CHARS ? 0 : at - BEFORE_CHARS;
  return { left: shown(left, from), right: shown(right, from) };
}

function shown(value: unknown, from: number): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? JSON.stringify(value.slice(from).toWellFormed()) : JSON.stringify(value);
  const cut = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS).toWellFormed()}…` : text;
  return from === 0 ? cut : `…${cut}`;
}
