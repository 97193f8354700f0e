/**
 * So many milliseconds before a time, ISO 8601. No earlier than the epoch, which is earlier than
 * any run: a longer age is not a moment of the calendar.
 */
export const momentBefore = (nowMs: number, ageMs: number): string =>
  new Date(Math.max(0, nowMs - ageMs)).toISOString();
