/** One long line of JSON is read with difficulty; what is signed are the bytes all the same. */
export function readable(text: string, mediaType: string): string {
  if (mediaType !== 'application/json') return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
