const VALUES = new Set([
  ...['type', 'required', 'const', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment'],
]);
const ONE_SCHEMA = new Set(['items', 'additionalProperties', 'not', 'propertyNames']);
const SCHEMAS = new Set(['anyOf', 'oneOf', 'allOf']);

/** Far above what people write, far below where generated code gets too deep for the engine. */
const MAX_DEPTH = 24;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The meta-schema takes any text for a pattern. */
function isPattern(value: unknown): boolean {
  try {
    new RegExp(String(value), 'u');
    return true;
  } catch {
    return false;
  }
}

function isPlainAt(keyword: string, value: unknown, depth: number): boolean {
  if (VALUES.has(keyword)) return true;
  if (keyword === 'enum') return Array.isArray(value) && value.length > 0;
  if (keyword === 'pattern') return isPattern(value);
  if (ONE_SCHEMA.has(keyword)) return isPlain(value, depth + 1);
  if (SCHEMAS.has(keyword)) return Array.isArray(value) && value.every((schema) => isPlain(schema, depth + 1));
  return keyword === 'properties' && isObject(value) && Object.values(value).every((schema) => isPlain(schema, depth + 1));
}

function isPlain(schema: unknown, depth: number): boolean {
  if (typeof schema === 'boolean') return true;
  return isObject(schema) && depth <= MAX_DEPTH && Object.entries(schema).every(([keyword, value]) => isPlainAt(keyword, value, depth));
}

/**
 * Whether a document that fits the meta-schema is sure to compile: it refers to nothing and uses only keywords about which the
 * meta-schema says everything. Compiling a schema only to learn that took a fifth of the time of validating a workspace of a
 * thousand artifacts. False means no more than that it has to be tried.
 */
export const isPlainSchema = (schema: object): boolean => isPlain(schema, 0);
