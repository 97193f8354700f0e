import { type Mark, markedAnswer } from '../marks.js';
import { type JSONRPCMessage, parseJSONRPCMessage } from '../sdk/parts.js';

/** What one line of stdout comes to. */
export type LineReading = { readonly kind: 'message'; readonly message: JSONRPCMessage } | { readonly kind: 'noise' };

// The id stands first or last in what servers write; both places are outside of any string, so
// nothing of an answer can pass for it.
const ID_FIRST = /^\{"jsonrpc":"2\.0","id":(\d{1,15}),/;
const ID_LAST = /,"id":(\d{1,15})\}\s*$/;
const EDGE_CHARS = 64;

/** The request that an answer belongs to, without parsing it; null when that cannot be told. */
export function idAtEdge(line: string): number | null {
  const found = ID_FIRST.exec(line.slice(0, EDGE_CHARS))?.[1] ?? ID_LAST.exec(line.slice(-EDGE_CHARS))?.[1];
  return found === undefined ? null : Number(found);
}

const marked = (id: number | null, mark: Mark): LineReading =>
  id === null ? { kind: 'noise' } : { kind: 'message', message: markedAnswer(id, mark) };

/** The id of something that should have been an answer: it has an id, and no method. */
function answeredId(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('id' in value) || 'method' in value) return null;
  return typeof value.id === 'number' ? value.id : null;
}

/**
 * Reads a line. Text that is not JSON-RPC is noise: many servers greet on stdout. What answers a
 * request in a wrong form, or is larger than `maxChars`, ends that request alone.
 */
export function readLine(line: string, maxChars: number): LineReading {
  if (line.length > maxChars) return marked(idAtEdge(line), 'tooLarge');
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: 'noise' };
  }
  try {
    return { kind: 'message', message: parseJSONRPCMessage(value) };
  } catch {
    return marked(answeredId(value), 'malformed');
  }
}
