import { isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The JSON value of a text, or undefined when the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    // JSON.parse yields nothing but JSON values.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/**
 * Own property only: a schema or a result may hold a key named like a member of Object.prototype.
 */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Builds an object whose keys may be any text, `__proto__` included. */
export function objectOf(entries: Iterable<readonly [string, Json]>): JsonObject {
  return Object.fromEntries(entries);
}

/** Equal as JSON: order of keys does not count. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (isList(a))
    return isList(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index] ?? null));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key] ?? null, b[key] ?? null))
  );
}

/** Appends one token to an RFC 6901 pointer. */
export function childPointer(pointer: string, token: string | number): string {
  return `${pointer}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Null for what is not a number. */
export function numberAt(object: JsonObject, key: string): number | null {
  const value = own(object, key);
  return typeof value === 'number' ? value : null;
}

/** {} for what is not an object. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}
