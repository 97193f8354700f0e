import { KitError } from '../domain/errors.js';

/**
 * A moment that a query names, in the form of the log: UTC with milliseconds, which is compared as text. `name`: of the member of the
 * query. Throws KIT_REQUEST_INVALID for what is no moment; a leap second, which RFC 3339 writes, is none here.
 */
export function requireInstant(text: string, name: string): string {
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  const [pointer, message] = [`/query/${name}`, 'must be an ISO 8601 date-time; write `+` of an offset as %2B'];
  throw new KitError('KIT_REQUEST_INVALID', `${pointer} ${message}`, { data: { errors: [{ pointer, message, code: 'format' }] } });
}
