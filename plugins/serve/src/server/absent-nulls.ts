import { isObject } from '@kit-run/kit/plugin';
import type { preValidationHookHandler } from 'fastify';

/** A member without a type takes any JSON, and null is what was sent. */
function takesNull(schema: unknown): boolean {
  if (!isObject(schema)) return true;
  const { type, enum: words, const: only, anyOf, oneOf, $ref } = schema;
  if (type === undefined && words === undefined && only === undefined) {
    if (Array.isArray(anyOf)) return anyOf.some(takesNull);
    if (Array.isArray(oneOf)) return oneOf.some(takesNull);
    return $ref === undefined;
  }
  if (Array.isArray(words) && !words.includes(null)) return false;
  return type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null'));
}

/** Takes away the members that are null and may not be, as far as the schema names them. */
export function dropNulls(value: unknown, schema: unknown): void {
  if (!isObject(schema)) return;
  if (Array.isArray(value)) for (const item of value) dropNulls(item, schema.items);
  if (!isObject(value) || !isObject(schema.properties)) return;
  for (const [name, member] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(value, name)) continue;
    if (value[name] === null && !takesNull(member)) Reflect.deleteProperty(value, name);
    else dropNulls(value[name], member);
  }
}

/**
 * An optional member that is null is absent: clients that are made from a schema write every member
 * that they have nothing for.
 */
export const takeNullForAbsent: preValidationHookHandler = (request, _reply, done) => {
  const { schema } = request.routeOptions;
  if (isObject(schema)) dropNulls(request.body, schema.body);
  done();
};
