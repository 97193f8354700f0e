/**
 * Of what `fetch` throws, or of what lies below it: the code of the system, such as ECONNREFUSED;
 * null where none tells.
 */
export function systemCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? systemCode(error.cause) : null;
}
