import type { Json, JsonSchema } from '@kit-run/kit/plugin';
import { isList, numberAt, objectOf, own } from '../shared/json.js';
import { branchesOf, propertiesOf, requiredOf, resolveSchema, typesOf } from '../shared/schema.js';
import { sampleString } from './sample-string.js';

/** Deepest nesting of required values; a schema that demands more demands an endless value. */
const MAX_DEPTH = 24;

/**
 * The smallest value, as near as this sampler gets, that a schema accepts; the same for the same
 * schema. Throws where it knows none.
 */
export function sampleValue(schema: JsonSchema): Json {
  return sample(schema, schema, 0);
}

function sample(part: Json | undefined, root: JsonSchema, depth: number): Json {
  if (depth > MAX_DEPTH) throw new Error('the output schema demands an endless value');
  const schema = resolveSchema(part, root);
  const given = givenValue(schema);
  if (given !== undefined) return given;
  const [branch] = branchesOf(schema);
  if (branch !== undefined) return sample(branch, root, depth + 1);
  switch (typesOf(schema)[0]) {
    case 'object':
      return objectOf(
        requiredOf(schema).map((name) => [name, sample(propertiesOf(schema)[name], root, depth + 1)] as const),
      );
    case 'array':
      return sampleList(schema, root, depth);
    case 'string':
      return sampleString(schema);
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'mock';
  }
}

/** A value that the schema itself names. */
function givenValue(schema: JsonSchema): Json | undefined {
  const constant = own(schema, 'const');
  if (constant !== undefined) return constant;
  for (const keyword of ['enum', 'examples']) {
    const values = own(schema, keyword);
    if (isList(values) && values[0] !== undefined) return values[0];
  }
  return own(schema, 'default');
}

function sampleList(schema: JsonSchema, root: JsonSchema, depth: number): Json {
  const least = own(schema, 'minItems');
  const length = typeof least === 'number' ? least : 0;
  const first = own(schema, 'prefixItems');
  const heads = isList(first) ? first : [];
  const items = Array.from({ length }, (_, index) => sample(heads[index] ?? own(schema, 'items'), root, depth + 1));
  return own(schema, 'uniqueItems') === true ? items.map(distinct) : items;
}

/**
 * Tells equal samples apart where items must be unique; the schema of the items may still refuse
 * the result.
 */
function distinct(item: Json, index: number): Json {
  if (typeof item === 'string') return index === 0 ? item : `${item}-${index + 1}`;
  return typeof item === 'number' ? item + index : item;
}

/**
 * 0 if the bounds allow it, else the allowed number next to the lower bound, else the one next to
 * the upper.
 */
function sampleNumber(schema: JsonSchema): number {
  const isInteger = typesOf(schema)[0] === 'integer';
  const step = numberAt(schema, 'multipleOf') ?? (isInteger ? 1 : null);
  const above = numberAt(schema, 'exclusiveMinimum');
  const below = numberAt(schema, 'exclusiveMaximum');
  const low = Math.max(numberAt(schema, 'minimum') ?? -Infinity, above ?? -Infinity);
  const high = Math.min(numberAt(schema, 'maximum') ?? Infinity, below ?? Infinity);
  const fits = (value: number): boolean => value >= low && value <= high && value !== above && value !== below;

  const up =
    step === null ? [low, middle(low, high)] : [Math.ceil(low / step) * step, (Math.floor(low / step) + 1) * step];
  const down = step === null ? [high] : [Math.floor(high / step) * step, (Math.ceil(high / step) - 1) * step];
  const found = [0, ...up, ...down].find((value) => Number.isFinite(value) && fits(value));
  if (found === undefined) throw new Error('the output schema has a number without a value between its bounds');
  return found;
}

function middle(low: number, high: number): number {
  if (Number.isFinite(high)) return Number.isFinite(low) ? (low + high) / 2 : high - 1;
  return low + 1;
}
