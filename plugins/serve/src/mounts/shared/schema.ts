/** The words that response schemas are written with. */
export type Schema = Readonly<Record<string, unknown>>;

export const STRING: Schema = { type: 'string' };
export const INTEGER: Schema = { type: 'integer' };
export const NUMBER: Schema = { type: 'number' };
export const BOOLEAN: Schema = { type: 'boolean' };
/** ISO 8601 in UTC. */
export const TIMESTAMP: Schema = { type: 'string', format: 'date-time' };
export const arrayOf = (items: Schema): Schema => ({ type: 'array', items });
export const STRINGS: Schema = arrayOf(STRING);

/** An object with these members and no others; all are there but the `optional` ones. */
export const closed = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

/** The same, or null. */
export const nullable = (schema: Schema): Schema =>
  schema.type === 'object' || schema.enum !== undefined
    ? { anyOf: [schema, { type: 'null' }] }
    : { ...schema, type: [schema.type, 'null'] };
