import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Names the place where an answer was sent otherwise than its route gave it. */
export const CHANGED = 'x-test-changed';

/** Pointer of the first member that differs; null = none does. */
function differenceOf(given: unknown, sent: unknown, pointer = ''): string | null {
  if (isDeepStrictEqual(given, sent)) return null;
  if (typeof given !== 'object' || typeof sent !== 'object' || given === null || sent === null) return pointer || '/';
  for (const name of new Set([...Object.keys(given), ...Object.keys(sent)])) {
    const found = differenceOf(Reflect.get(given, name), Reflect.get(sent, name), `${pointer}/${name}`);
    if (found !== null) return found;
  }
  return pointer || '/';
}

/**
 * A schema decides what is written of an answer: a member that it does not name is dropped without
 * a word. Here each answer says so in a header.
 */
export function reportLosses(scope: FastifyInstance): void {
  const given = new WeakMap<FastifyReply, string>();
  scope.addHook('preSerialization', async (_request, reply, payload) => {
    given.set(reply, JSON.stringify(payload));
    return payload;
  });
  scope.addHook('onSend', async (_request, reply, sent) => {
    const text = given.get(reply);
    if (text !== undefined && typeof sent === 'string') {
      const place = differenceOf(JSON.parse(text), JSON.parse(sent));
      if (place !== null) reply.header(CHANGED, encodeURI(place));
    }
    return sent;
  });
}
