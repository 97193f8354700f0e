import type { JsonSchema } from '@kit-run/kit/plugin';
import { resolveSchema, typesOf } from '../shared/schema.js';

/**
 * True when every value of the schema is an object: what several services demand of the root of a
 * schema.
 */
export function isObjectSchema(schema: JsonSchema | null): boolean {
  if (schema === null) return false;
  const types = typesOf(resolveSchema(schema, schema));
  return types.length === 1 && types[0] === 'object';
}
