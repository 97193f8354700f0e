import type { Json, JsonObject } from '../../domain/json.js';
import { isDeeper } from '../../lib/is-deeper.js';
import { isObject } from '../../lib/json.js';
import type { JsonLocation, JsonPath } from '../../lib/jsonpath.js';
import { eraser, REDACTED } from './erase.js';

/**
 * Applies paths to every root of a record (`inputs`, `outputs`, the payload itself), then removes
 * the redacted values from all other places of the record: a token that is redacted in the inputs
 * does not come back in an error text. Values shorter than 4 characters are replaced only where a
 * path names them.
 */
export function redactRecord(record: JsonObject, paths: readonly JsonPath[]): JsonObject {
  if (paths.length === 0) return record;
  const values: string[] = [];
  const found = (value: Json): void => leavesOf(value, values);
  const fields = Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, redactRoot(value, paths, found)]),
  );
  const redacted = redactTree(fields, paths, { found, minDepth: 1 });
  const erase = eraser(values);
  return Object.fromEntries(
    Object.entries(isObject(redacted) ? redacted : {}).map(([name, value]) => [name, erase(value)]),
  );
}

/** A root that is JSON as text (most tool results are) is read, redacted and written again. */
function redactRoot(value: Json, paths: readonly JsonPath[], found: (value: Json) => void): Json {
  if (typeof value !== 'string') return redactTree(value, paths, { found, minDepth: 0 });
  const parsed = parseContainer(value);
  // What cannot be walked through cannot be searched: none of it is shown.
  if (parsed !== null && isDeeper(parsed)) return REDACTED;
  if (parsed === null) return redactTree(value, paths, { found, minDepth: 0 });
  const redacted = redactTree(parsed, paths, { found, minDepth: 0 });
  return redacted === parsed ? value : JSON.stringify(redacted);
}

function parseContainer(text: string): Json | null {
  const start = text.trimStart().charAt(0);
  if (start !== '{' && start !== '[') return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

interface TreeOptions {
  readonly found: (value: Json) => void;
  /**
   * 1: a path that selects the root selects each of its members instead, so that the record keeps
   * its shape.
   */
  readonly minDepth: 0 | 1;
}

/** The same object when nothing matched. */
function redactTree(value: Json, paths: readonly JsonPath[], options: TreeOptions): Json {
  const locations = paths
    .flatMap((path) => path.locate(value))
    .flatMap((location) => atLeast(location, value, options.minDepth));
  let out = value;
  for (const location of locations) {
    const there = valueAt(value, location);
    if (there === undefined) continue;
    if (there !== REDACTED) options.found(there);
    out = replaceAt(out, location, 0);
  }
  return out;
}

function atLeast(location: JsonLocation, value: Json, minDepth: 0 | 1): readonly JsonLocation[] {
  if (location.length >= minDepth || !isObject(value)) return [location];
  return Object.keys(value).map((name) => [name]);
}

function valueAt(value: Json, location: JsonLocation): Json | undefined {
  let at: Json | undefined = value;
  for (const step of location) {
    if (Array.isArray(at)) at = typeof step === 'number' ? at[step] : undefined;
    else at = isObject(at) ? at[step] : undefined;
  }
  return at;
}

/** A place inside one that is already replaced is gone with it. */
function replaceAt(value: Json, location: JsonLocation, depth: number): Json {
  const step = location[depth];
  if (step === undefined) return REDACTED;
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? replaceAt(item, location, depth + 1) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === step ? replaceAt(member, location, depth + 1) : member,
    ]),
  );
}

function leavesOf(value: Json, into: string[]): void {
  if (typeof value === 'string' || typeof value === 'number') into.push(String(value));
  else if (Array.isArray(value)) for (const item of value) leavesOf(item, into);
  else if (isObject(value)) for (const member of Object.values(value)) leavesOf(member, into);
}
