import { KitError } from '../domain/errors.js';

/**
 * A moment that a query names, in the form of the log: UTC with milliseconds, which is compared as
 * text. `name`: of the member of the query. Throws KIT_REQUEST_INVALID for what no clock shows: a
 * leap second, which RFC 3339 writes, or an offset that leads out of the calendar.
 */
export function requireInstant(text: string, name: string): string {
  const ms = Date.parse(text);
  const utc = Number.isNaN(ms) ? '' : new Date(ms).toISOString();
  if (/^\d{4}-/.test(utc)) return utc;
  const [pointer, message] = [`/query/${name}`, 'must be an ISO 8601 date-time; write `+` of an offset as %2B'];
  throw new KitError('KIT_REQUEST_INVALID', `${pointer} ${message}`, {
    data: { errors: [{ pointer, message, code: 'format' }] },
  });
}
