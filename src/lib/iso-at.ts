/** The millisecond that was told last, and its text: one turn of the event loop asks many times. */
let last: { readonly ms: number; readonly text: string } = { ms: 0, text: '1970-01-01T00:00:00.000Z' };

/** ISO 8601 UTC with milliseconds of a time in epoch milliseconds: sorts as text. */
export function isoAt(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
}
