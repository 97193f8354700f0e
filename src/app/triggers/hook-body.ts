import { KitError } from '../../domain/errors.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';
import { utf8Text } from '../../lib/utf8.js';

function textOf(body: Uint8Array): string {
  const text = utf8Text(body);
  if (text === null)
    throw new KitError('KIT_REQUEST_MALFORMED', 'the body is not text in UTF-8', {
      hint: 'Send JSON or text in UTF-8.',
    });
  return text;
}

function jsonOf(text: string): Json | undefined {
  try {
    // What JSON.parse gives is JSON.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The input of a run, and its place in the request. */
export interface HookInput {
  readonly input: Json;
  readonly place: '/body' | '/body/input';
}

/** The member `input` of a JSON object, else the whole body as text (docs/triggers.md#webhook). */
export function inputOf(body: Uint8Array): HookInput {
  const text = textOf(body);
  const value = jsonOf(text);
  return isObject(value) && Object.hasOwn(value, 'input')
    ? { input: value.input ?? null, place: '/body/input' }
    : { input: text, place: '/body' };
}

/**
 * The body of an event. Throws KIT_REQUEST_MALFORMED for anything but a JSON object,
 * KIT_APPROVAL_DENIED for a mode other than emit.
 */
export function eventBodyOf(body: Uint8Array): JsonObject {
  const value = jsonOf(textOf(body));
  if (!isObject(value)) throw new KitError('KIT_REQUEST_MALFORMED', 'the body of an event is a JSON object');
  const { mode } = value;
  if (mode !== undefined && mode !== 'emit') {
    throw new KitError('KIT_APPROVAL_DENIED', 'a hook emits events; no delivery may advance or skip a pipeline', {
      hint: 'Leave out `mode`. A person who holds the scope uses POST /events/signal.',
    });
  }
  return value;
}
