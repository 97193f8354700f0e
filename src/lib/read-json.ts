import { isObject } from './json.js';

/** Members of a JSON object whose shape another version may have changed. */
export type Fields = Readonly<Record<string, unknown>>;

/** What is not an object has no members. */
export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** '' for what is not text. */
export const textAt = (fields: Fields, name: string): string => maybeTextAt(fields, name) ?? '';

/** Null for what is not text. */
export function maybeTextAt(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' ? value : null;
}

/** 0 for what is not a number. */
export const numberAt = (fields: Fields, name: string): number => maybeNumberAt(fields, name) ?? 0;

/** Null for what is not a number. */
export function maybeNumberAt(fields: Fields, name: string): number | null {
  const value = fields[name];
  return typeof value === 'number' ? value : null;
}

export const isTrueAt = (fields: Fields, name: string): boolean => fields[name] === true;

/** [] for what is not a list; what is not text is left out. */
export const textsAt = (fields: Fields, name: string): readonly string[] =>
  listOf(fields[name]).filter((one) => typeof one === 'string');

/** [] for what is not a list. */
export const objectsAt = (fields: Fields, name: string): readonly Fields[] => listOf(fields[name]).map(fieldsOf);

/** Null for what is not an object. */
export function maybeObjectAt(fields: Fields, name: string): Fields | null {
  const value = fields[name];
  return isObject(value) ? value : null;
}

/** {} for what is not an object; members that are not text are left out. */
export const textMapAt = (fields: Fields, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldsOf(fields[name])).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** [] for what is not a list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
