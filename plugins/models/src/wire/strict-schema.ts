import { isObject, type Json, type JsonSchema } from '@kit-run/kit/plugin';
import { isList } from '../shared/json.js';
import { isStrictSchema, LITERALS, NAME_MAPS, wireSchema } from './output-schema.js';

/** What services that keep calls to a schema refuse in it; kit checks the call when it is there. */
const CHECKED_LATER = new Set([
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'default',
  'examples',
]);

/** What would say something else when it is left out. */
const NOT_STRICT = new Set([
  'oneOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
  'dependentSchemas',
  'dependentRequired',
  'unevaluatedProperties',
  'prefixItems',
  'contains',
]);

/**
 * The schema of a tool whose calls a service is to keep to it, without bounds of length and number;
 * null where it cannot be one: an object that is not closed or has optional properties, or a word
 * that no service takes there.
 */
export function strictSchema(schema: JsonSchema): JsonSchema | null {
  const wire = wireSchema(schema);
  return isStrictSchema(wire) && !hasWord(wire, NOT_STRICT) ? (without(wire, false) as JsonSchema) : null;
}

function hasWord(schema: Json, words: ReadonlySet<string>, inNames = false): boolean {
  if (isList(schema)) return schema.some((item) => hasWord(item, words));
  if (!isObject(schema)) return false;
  return Object.entries(schema).some(
    ([key, value]) =>
      (!inNames && words.has(key)) || (!LITERALS.has(key) && hasWord(value, words, !inNames && NAME_MAPS.has(key))),
  );
}

function without(value: Json, inNames: boolean): Json {
  if (isList(value)) return value.map((item) => without(item, false));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      if (!inNames && CHECKED_LATER.has(key)) return [];
      return [[key, !inNames && LITERALS.has(key) ? member : without(member, !inNames && NAME_MAPS.has(key))]];
    }),
  );
}
