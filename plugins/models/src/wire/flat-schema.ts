import { isObject, type Json, type JsonObject, type JsonSchema, oneArgumentOf } from '@kit-run/kit/plugin';
import { isList, own } from '../shared/json.js';
import { propertiesOf, requiredOf, resolveSchema } from '../shared/schema.js';

const CHOICES = ['anyOf', 'oneOf'] as const;
const COMBINERS = [...CHOICES, 'allOf'] as const;

/** Alternatives of more than that many objects are not told apart in words. */
const MAX_LISTED = 8;

/**
 * The arguments of a tool as one object, for services that take no `anyOf`, `oneOf` or `allOf` at
 * the top of a schema and refuse the whole request for one. All parts of an `allOf` hold together;
 * of alternatives every property may be given, those are required that all of them require, and
 * the description says which go together. kit checks each call against the schema as it was
 * written. Any other schema stays as it is.
 */
export function flatSchema(schema: JsonSchema): JsonSchema {
  if (!COMBINERS.some((key) => isList(own(schema, key))) && own(schema, '$ref') === undefined) return schema;
  const whole = resolveSchema(schema, schema);
  const alternatives = alternativesOf(whole, schema);
  const rest = Object.fromEntries(Object.entries(whole).filter(([key]) => !CHOICES.some((one) => one === key)));
  if (alternatives.length === 0) return { ...rest, type: 'object' };
  const required = alternatives
    .map((one) => requiredOf(one))
    .reduce((common, names) => common.filter((name) => names.includes(name)));
  const all = [...new Set([...requiredOf(rest), ...required])];
  const description = own(rest, 'description');
  const sentences = [...(typeof description === 'string' ? [description] : []), ...wordsOf(alternatives, all)].join(
    ' ',
  );
  return {
    ...rest,
    type: 'object',
    properties: alternatives.reduce<JsonObject>((known, one) => joined(known, propertiesOf(one)), propertiesOf(rest)),
    ...(all.length === 0 ? {} : { required: all }),
    ...(sentences === '' ? {} : { description: sentences }),
  };
}

/** What each alternative allows, with references and nested alternatives followed. */
function alternativesOf(whole: JsonSchema, root: JsonSchema, depth = 0): readonly JsonSchema[] {
  const listed = CHOICES.map((key) => own(whole, key)).filter(isList);
  if (listed.length === 0 || depth > MAX_DEPTH) return [];
  return listed.flat().flatMap((part) => {
    const resolved = resolveSchema(part, root);
    const inner = alternativesOf(resolved, root, depth + 1);
    return inner.length === 0 ? [resolved] : inner;
  });
}

/** Nobody writes more by hand. */
const MAX_DEPTH = 4;

/** A property that two alternatives have is one of both. */
function joined(known: JsonObject, more: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...known };
  for (const [name, schema] of Object.entries(more)) {
    const before = own(merged, name);
    if (before === undefined) merged[name] = schema;
    else if (JSON.stringify(before) !== JSON.stringify(schema)) merged[name] = { anyOf: [...branches(before), schema] };
  }
  return merged;
}

/** What `joined` made of two grows by a third. */
function branches(schema: Json): readonly Json[] {
  if (!isObject(schema)) return [schema];
  const any = own(schema, 'anyOf');
  return isList(any) && Object.keys(schema).length === 1 ? any : [schema];
}

function wordsOf(alternatives: readonly JsonSchema[], always: readonly string[]): readonly string[] {
  const sets = alternatives
    .map((one) => requiredOf(one).filter((name) => !always.includes(name)))
    .filter((names) => names.length > 0)
    .map((names) => names.join(' and '));
  return sets.length < 2 || sets.length > MAX_LISTED ? [] : [oneArgumentOf([...new Set(sets)])];
}
