import { isObject, type Json, type JsonObject, type JsonSchema } from '@kit-run/kit/plugin';

/** Keywords whose members are names of the author's with a schema each. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords whose value is data, whatever it looks like. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
const REFS: ReadonlySet<string> = new Set(['$ref', '$dynamicRef']);

/** `#` and `#/a` lead from the root; `#name` and addresses of elsewhere stay. */
const rebasedRef = (ref: string, at: string): string =>
  ref === '#' || ref.startsWith('#/') ? `#${at}${ref.slice(1)}` : ref;

function member(keyword: string, value: Json, at: string): Json {
  if (DATA.has(keyword)) return value;
  if (REFS.has(keyword) && typeof value === 'string') return rebasedRef(value, at);
  if (NAMED.has(keyword) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, rebased(schema, at)]));
  return rebased(value, at);
}

function rebased(value: Json, at: string): Json {
  if (Array.isArray(value)) return value.map((one) => rebased(one, at));
  if (!isObject(value)) return value;
  // A schema with an address of its own is a root of its own.
  if (typeof value.$id === 'string') return value;
  return Object.fromEntries(Object.entries(value).map(([keyword, one]) => [keyword, member(keyword, one, at)]));
}

/**
 * A whole schema as a part of another one: what it says of itself as a document goes, and its
 * references go on leading where they led. `at` is the JSON Pointer of its place:
 * `/properties/output`.
 */
export function asPart(schema: JsonSchema, at: string): JsonObject {
  const { $schema: _dialect, $id: _address, ...rest } = schema;
  return rebased(rest, at) as JsonObject; // an object goes in
}
