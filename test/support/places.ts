import type { Json } from '../../src/domain/json.js';

/** Places of a value, members of free choice (inputs, names of models) left out. */
export function placesOf(value: Json, at = ''): readonly string[] {
  if (/\.(?:input|tool_input|arguments|modelUsage|model_usage_since_last_result|usage)$/.test(at)) return [at];
  if (Array.isArray(value)) return [at, ...value.flatMap((item: Json) => placesOf(item, `${at}[]`))];
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, member]) => placesOf(member, `${at}.${key}`))];
}
