import { messageOf } from '../../domain/errors.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { Json } from '../../domain/json.js';
import { type JsonLocation, type JsonPath, loadJsonPaths } from '../../lib/jsonpath.js';

/** A correlation id, or the sentence that says why there is none. */
export type CorrelationId =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly message: string };

/**
 * The correlation id in a body: the first match of an RFC 9535 query. It must be a number or a text
 * that is not empty; anything else names no run (docs/design/decisions.md#signals).
 */
export async function correlationIdIn(
  body: Json,
  path: string = DEFAULTS.EventTarget.correlation_id,
): Promise<CorrelationId> {
  const compiled = (await loadJsonPaths([path])).compile(path);
  if (!compiled.ok) return { ok: false, message: `${path} is not a JSONPath: ${compiled.message}` };
  const located = locate(compiled.path, body);
  if (!located.ok) return { ok: false, message: `the body is nested too deep for ${path}: ${located.message}` };
  const [location] = located.locations;
  if (location === undefined) return { ok: false, message: `the body has nothing at ${path}` };
  // a place in this very body
  const found = location.reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], body);
  if (typeof found === 'number') return { ok: true, id: String(found) };
  if (typeof found === 'string' && found !== '') return { ok: true, id: found };
  return { ok: false, message: `what the body has at ${path} is neither a text nor a number` };
}

type Located =
  | { readonly ok: true; readonly locations: readonly JsonLocation[] }
  | { readonly ok: false; readonly message: string };

/** The library throws for a body that is deeper than it walks. */
function locate(path: JsonPath, body: Json): Located {
  try {
    return { ok: true, locations: path.locate(body) };
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
}
