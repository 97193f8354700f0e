import type { Json } from '../../domain/json.js';
import { loadJsonPaths } from '../../lib/jsonpath.js';

/**
 * Where an event target finds the correlation id unless it says so
 * (docs/design/decisions.md#signals).
 */
export const DEFAULT_CORRELATION_PATH = '$.correlation_id';

/** A correlation id, or the sentence that says why there is none. */
export type CorrelationId =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly message: string };

/**
 * The correlation id in a body: the first match of an RFC 9535 query. It must be a number or a text
 * that is not empty; anything else names no run (docs/design/decisions.md#signals).
 */
export async function correlationIdIn(body: Json, path: string = DEFAULT_CORRELATION_PATH): Promise<CorrelationId> {
  const compiled = (await loadJsonPaths()).compile(path);
  if (!compiled.ok) return { ok: false, message: `${path} is no JSONPath: ${compiled.message}` };
  const [location] = compiled.path.locate(body);
  if (location === undefined) return { ok: false, message: `the body has nothing at ${path}` };
  // a place in this very body
  const found = location.reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], body);
  if (typeof found === 'number') return { ok: true, id: String(found) };
  if (typeof found === 'string' && found !== '') return { ok: true, id: found };
  return { ok: false, message: `what the body has at ${path} is neither a text nor a number` };
}
