import { isUtf8 } from 'node:buffer';
import { KitError } from '@kit-run/kit/plugin';
import type { FastifyInstance } from 'fastify';
import { holdsMoreValues } from './json-structure.js';

/** Values of one body; more would fill the memory before anything judges them. */
const MAX_BODY_VALUES = 200_000;

/** Half of a pair, as an escape, can stand only where there is one of these. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/** Strings and names of a value, however deep, without a recursion that a body could exhaust. */
function isWellFormed(value: unknown): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'string' && !one.isWellFormed()) return false;
    if (typeof one !== 'object' || one === null) continue;
    for (const [name, member] of Object.entries(one)) {
      if (!name.isWellFormed()) return false;
      left.push(member);
    }
  }
  return true;
}

const notText = (what: string): KitError =>
  new KitError('KIT_REQUEST_MALFORMED', `the body is not text: ${what}`, { hint: 'Send JSON in UTF-8.' });

/**
 * Fastify's own parser, behind a look at how many values there are, and at what is not text: it
 * would become another one without a word. A group may set another parser for its scope.
 */
export function readJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeContentTypeParser(['application/json', 'text/plain']);
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (holdsMoreValues(body, MAX_BODY_VALUES))
      return done(new KitError('KIT_REQUEST_TOO_LARGE', `the body holds more than ${MAX_BODY_VALUES} values`));
    if (!isUtf8(body)) return done(notText('its bytes are not UTF-8'));
    const text = body.toString('utf8');
    return parse(request, text, (error, value) => {
      if (error === null && SURROGATE.test(text) && !isWellFormed(value))
        return done(notText('it holds half of a surrogate pair'));
      return done(error, value);
    });
  });
}
