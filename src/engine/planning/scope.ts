import type { Json, JsonObject, JsonSchema } from '../../domain/json.js';

/**
 * What a scope says, field by field (docs/design/execution.md#plans). All of them are lists of
 * texts: a scope only ever grows.
 */
export const SCOPE_FIELDS = [
  'source',
  'requirements',
  'constraints',
  'authoritative_sources',
  'excluded',
  'decisions',
  'related',
  'solution_approach',
  'open_questions',
] as const;

export type Scope = Readonly<Partial<Record<(typeof SCOPE_FIELDS)[number], readonly string[]>>>;

const LIST: JsonSchema = { type: 'array', items: { type: 'string', minLength: 1 } };

const fieldsSchema = (prefix: string): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: Object.fromEntries(SCOPE_FIELDS.map((field) => [`${prefix}${field}`, LIST])),
});

export const CREATE_SCOPE_SCHEMA = fieldsSchema('');
export const UPDATE_SCOPE_SCHEMA = fieldsSchema('add_');

/** The scope with what a call adds; the call fits one of the schemas. */
export function grownScope(scope: Scope | null, input: JsonObject, prefix: '' | 'add_'): Scope {
  const entries = SCOPE_FIELDS.flatMap((field) => {
    const items = [...(scope?.[field] ?? []), ...textsOf(input[`${prefix}${field}`])];
    return items.length === 0 ? [] : [[field, [...new Set(items)]] as const];
  });
  return Object.fromEntries(entries);
}

/** The texts of a list of a model. */
export const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
