/**
 * Milliseconds that a server asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as an
 * HTTP date (RFC 9110 10.2.3). A date in the past is 0; anything unreadable is null.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const exact = wait(headers['retry-after-ms']);
  if (exact !== null) return exact;
  const text = headers['retry-after']?.trim();
  if (text === undefined || text === '') return null;
  const seconds = wait(text);
  if (seconds !== null) return Math.round(seconds * 1000);
  // Only the date form is left; Date.parse alone would also take '-5' for a year.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

function wait(text: string | undefined): number | null {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}
