/**
 * A moment in the form that the tables compare as text: callers may leave out milliseconds or name
 * another zone. What is not a moment stays as it is.
 */
export function instant(text: string): string {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? text : new Date(ms).toISOString();
}
