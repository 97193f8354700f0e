import type { ErrorObject } from 'ajv';
import { nearest } from '../../lib/nearest.js';

/** One failed keyword, with the schema around it (`verbose` validators), and without words. */
export type Issue = Omit<ErrorObject, 'message'>;

/** The schema that holds the failed keyword. */
export const schemaAround = (issue: Issue): Readonly<Record<string, unknown>> => issue.parentSchema ?? {};

/** Names of a `required` list, or []. */
export const namesIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];

const requiredOf = (branch: unknown): readonly string[] =>
  typeof branch === 'object' && branch !== null && 'required' in branch ? namesIn(branch.required) : [];

/**
 * The fields of `oneOf: [{required: [a]}, {required: [b]}]`; null when the branches say more than
 * that.
 */
export function alternatives(issue: Issue): readonly string[] | null {
  const branches: unknown = schemaAround(issue)[issue.keyword];
  if (!Array.isArray(branches)) return null;
  const areBare = branches.every(
    (branch) => typeof branch === 'object' && branch !== null && Object.keys(branch).every((key) => key === 'required'),
  );
  return areBare ? branches.flatMap(requiredOf) : null;
}

/** The fields that the schema around an issue has. */
export const fieldsOf = (issue: Issue): readonly string[] => {
  const properties = schemaAround(issue).properties;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
};

/** The word that was probably meant; a word that differs in case alone always counts. */
export function meantWord(word: string, known: readonly string[]): string | undefined {
  return known.find((candidate) => candidate.toLowerCase() === word.toLowerCase()) ?? nearest(word, known) ?? undefined;
}

const MAX_LISTED = 16;

/** `known here: a, b, c, and 4 more`; undefined: nothing is known. */
export function knownFields(issue: Issue): string | undefined {
  const known = fieldsOf(issue);
  if (known.length === 0) return undefined;
  const rest = known.length > MAX_LISTED ? `, and ${known.length - MAX_LISTED} more` : '';
  return `known here: ${known.slice(0, MAX_LISTED).join(', ')}${rest}`;
}

/** `x-paste` comes from the generator of the validators: each field with a value that fits. */
export function pasteText(issue: Issue, field: string): string | undefined {
  const texts = schemaAround(issue)['x-paste'];
  const text: unknown = typeof texts === 'object' && texts !== null ? Reflect.get(texts, field) : undefined;
  return typeof text === 'string' ? text : undefined;
}
