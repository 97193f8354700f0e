import type { Json, JsonObject } from '../domain/json.js';
import { isObject } from '../lib/json.js';
import { maybeNumberAt, maybeTextAt, textMapAt as textsOfMapAt } from '../lib/read-json.js';
import { isArray } from './document.js';

/**
 * Readers over schema-checked JSON. The schema has already refused a wrong type, so a reader
 * returns the absent value for it instead of a second diagnostic.
 */
export const textAt = (object: JsonObject | null, key: string): string | null => maybeTextAt(object ?? {}, key);

export const numberAt = (object: JsonObject | null, key: string): number | null => maybeNumberAt(object ?? {}, key);

export const flagAt = (object: JsonObject | null, key: string): boolean | null => {
  const value = object?.[key];
  return typeof value === 'boolean' ? value : null;
};

export const objectAt = (object: JsonObject | null, key: string): JsonObject | null => {
  const value = object?.[key];
  return isObject(value) ? value : null;
};

export const listAt = (object: JsonObject | null, key: string): readonly Json[] => {
  const value = object?.[key];
  return isArray(value) ? value : [];
};

export const objectsAt = (object: JsonObject | null, key: string): readonly JsonObject[] =>
  listAt(object, key).filter(isObject);

export const textsAt = (object: JsonObject | null, key: string): readonly string[] =>
  listAt(object, key).filter((value) => typeof value === 'string');

/** The nested object at a path of keys, or null. */
export const objectIn = (object: JsonObject | null, ...keys: readonly string[]): JsonObject | null =>
  keys.reduce<JsonObject | null>((current, key) => objectAt(current, key), object);

/** Map of strings: the entries whose values are strings. */
export const textMapAt = (object: JsonObject | null, key: string): Readonly<Record<string, string>> =>
  textsOfMapAt(object ?? {}, key);

/** The numbers of an object, under the names that the code has for its keys: `maxSteps`. */
export const numbersIn = (object: JsonObject | null): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(object ?? {}).flatMap(([key, value]) =>
      typeof value === 'number'
        ? [[key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), value] as const]
        : [],
    ),
  );
