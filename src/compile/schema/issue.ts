import type { ErrorObject } from 'ajv';

/** One failed keyword, with the schema around it (`verbose` validators). */
export type Issue = ErrorObject;

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
