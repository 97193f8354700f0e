import type { Json, JsonObject } from '../../domain/json.js';
import type { JsonIssue } from '../../lib/json-schema.js';
import { nearest } from '../../lib/nearest.js';
import { objectAt } from '../read.js';

/**
 * The key of `holder` that an issue says has no place, and the one of the schema that is nearest to
 * it; null where the issue is about something else.
 */
export function slipOf(
  schema: JsonObject,
  holder: unknown,
  { message }: JsonIssue,
): { readonly key: string; readonly meant: string | null } | null {
  const keys = typeof holder === 'object' && holder !== null ? Object.keys(holder) : [];
  const key = keys.find((one) => message === `"${one}" is not allowed here`);
  return key === undefined ? null : { key, meant: nearest(key, namesIn(schema), { isOrdered: false }) };
}

/** Names of properties anywhere in a schema. */
function namesIn(schema: Json): ReadonlySet<string> {
  if (typeof schema !== 'object' || schema === null) return new Set();
  const own = Array.isArray(schema) ? [] : Object.keys(objectAt(schema as JsonObject, 'properties') ?? {});
  return new Set([...own, ...Object.values(schema).flatMap((one: Json) => [...namesIn(one)])]);
}
