import { isObject, type Json, type JsonSchema, type LinearPatterns } from '@kit-run/kit/plugin';
import { isList, own, sameJson } from '../shared/json.js';
import { branchesOf, resolveSchema, typesOf } from '../shared/schema.js';

/** How a pattern is looked for; null = only the engine can tell, which has a limit of time. */
export type TestOf = LinearPatterns['testOf'];

export interface Judging {
  readonly rootSchema: JsonSchema;
  readonly testOf: TestOf;
}

/**
 * Whether a found value can stand where the schema stands: type, const, enum, bounds, length and
 * pattern. It picks values, it does not validate: the engine checks the whole answer against the
 * whole schema.
 */
export function accepts(part: Json | undefined, value: Json, by: Judging): boolean {
  const schema = resolveSchema(part, by.rootSchema);
  const branches = branchesOf(schema);
  if (branches.length > 0) return branches.some((branch) => accepts(branch, value, by));
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => hasType(type, value))) return false;
  const constant = own(schema, 'const');
  if (constant !== undefined && !sameJson(constant, value)) return false;
  const allowed = own(schema, 'enum');
  if (isList(allowed) && !allowed.some((item) => sameJson(item, value))) return false;
  if (typeof value === 'number') return inBounds(schema, value);
  return typeof value !== 'string' || fitsText(schema, value, by.testOf);
}

function hasType(type: string, value: Json): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return isList(value);
    case 'null':
      return value === null;
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function inBounds(schema: JsonSchema, value: number): boolean {
  const holds = (key: string, test: (bound: number) => boolean): boolean => {
    const bound = own(schema, key);
    return typeof bound !== 'number' || test(bound);
  };
  return (
    holds('minimum', (bound) => value >= bound) &&
    holds('maximum', (bound) => value <= bound) &&
    holds('exclusiveMinimum', (bound) => value > bound) &&
    holds('exclusiveMaximum', (bound) => value < bound)
  );
}

function fitsText(schema: JsonSchema, value: string, testOf: TestOf): boolean {
  const least = own(schema, 'minLength');
  const most = own(schema, 'maxLength');
  const pattern = own(schema, 'pattern');
  return (
    (typeof least !== 'number' || value.length >= least) &&
    (typeof most !== 'number' || value.length <= most) &&
    (typeof pattern !== 'string' || (testOf(pattern)?.(value) ?? true))
  );
}
