/**
 * Null for bytes that are not UTF-8. `keepsMark`: a byte order mark stays, so that the text gives
 * the same bytes again.
 */
export function utf8Text(bytes: Uint8Array, { keepsMark = false } = {}): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark }).decode(bytes);
  } catch {
    return null;
  }
}
