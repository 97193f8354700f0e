import { KitError } from '../domain/errors.js';

/**
 * A time of a query in UTC, as stores write theirs: they are compared as text. Throws KIT_REQUEST_INVALID; a schema lets through what
 * no clock shows (a leap second, an offset that leads out of the calendar).
 */
export function readInstant(text: string, name: string): string {
  const ms = Date.parse(text);
  const utc = Number.isNaN(ms) ? '' : new Date(ms).toISOString();
  if (/^\d{4}-/.test(utc)) return utc;
  const pointer = `/query/${name}`;
  const errors = [{ pointer, message: 'must be an ISO 8601 date-time; write `+` of an offset as %2B', code: 'format' }];
  throw new KitError('KIT_REQUEST_INVALID', `${pointer} ${errors[0]?.message}`, { data: { errors } });
}
