import type { Json, JsonObject, JsonSchema } from '../domain/json.js';
import { canonicalJson } from '../lib/canonical-json.js';
import { isObject } from '../lib/json.js';
import { atPointer } from '../lib/json-pointer.js';
import type { SchemaError } from './services/run-ports.js';

/**
 * `x-equals: /<child id>/<path>` in an output schema: this field must be the very value that the
 * child's result holds there. It is how a topology keeps a model from rewording numbers: the model
 * writes prose, the counts stay the child's.
 */
export function equalsErrors(schema: JsonSchema, value: Json, results: JsonObject): readonly SchemaError[] {
  return visit(schema, value, { pointer: '', results });
}

interface Place {
  readonly pointer: string;
  readonly results: JsonObject;
}

function visit(schema: Json | undefined, value: Json | undefined, place: Place): readonly SchemaError[] {
  if (!isObject(schema)) return [];
  const own = ownError(schema, value, place);
  const properties = schema.properties;
  if (!isObject(properties)) return own;
  const below = Object.entries(properties).flatMap(([name, child]) =>
    visit(child, isObject(value) ? value[name] : undefined, { ...place, pointer: `${place.pointer}/${name}` }),
  );
  return [...own, ...below];
}

function ownError(schema: JsonObject, value: Json | undefined, place: Place): readonly SchemaError[] {
  const target = schema['x-equals'];
  if (typeof target !== 'string') return [];
  const expected = atPointer(place.results, target);
  if (expected === undefined) {
    if (value === undefined || value === null) return [];
    return [{ pointer: place.pointer, message: `must be left out: no result holds ${target}` }];
  }
  if (value !== undefined && canonicalJson(expected) === canonicalJson(value)) return [];
  return [
    {
      pointer: place.pointer,
      message: `must equal ${JSON.stringify(expected)}, which stands at ${target} of the results`,
    },
  ];
}
