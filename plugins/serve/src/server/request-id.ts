import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Printable ASCII: it is written into a header and into a log line. */
const ACCEPTED = /^[\x20-\x7e]{1,128}$/;

/** The caller's `X-Request-Id` when it is usable, else a fresh one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : randomUUID();
}
