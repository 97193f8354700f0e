import { isObject, type Json, type JsonObject, type ModelMessage } from '@kit-run/kit/plugin';
import { childOf } from '../shared/conversation.js';
import { isList, objectOf, parseJson } from '../shared/json.js';

/** What the children gave: the one source of every value that `rules` answers with. */
export interface ChildResults {
  /** Child name -> result; JSON text is read as JSON. */
  readonly root: JsonObject;
  readonly failed: ReadonlySet<string>;
}

/**
 * The results of all delegations of a conversation; the last one of a child counts. A child that
 * failed is an object with `status: failed`, whatever it answered with, so that no query can
 * mistake it for a success.
 */
export function childResults(messages: readonly ModelMessage[]): ChildResults {
  const results = new Map<string, Json>();
  const failed = new Set<string>();
  for (const part of messages.flatMap((message) => message.parts)) {
    const child = part.type === 'tool_result' ? childOf(part.name) : null;
    if (part.type !== 'tool_result' || child === null) continue;
    const value = structured(part.output);
    results.set(child, part.isError ? failure(value) : value);
    if (part.isError) failed.add(child);
    else failed.delete(child);
  }
  return { root: objectOf(results), failed };
}

/** Text that holds a JSON object or list is that object or list; other text stays text. */
function structured(output: Json): Json {
  if (typeof output !== 'string') return output;
  const parsed = parseJson(output.trim());
  return isObject(parsed) || isList(parsed) ? parsed : output;
}

function failure(value: Json): Json {
  return isObject(value) ? { ...value, status: 'failed' } : { status: 'failed', reason: value };
}
