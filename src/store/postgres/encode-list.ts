import { toStoredText } from './text-codec.js';

const TEXT = 25;
const HEAD_BYTES = 20;

/**
 * A list as a parameter. Its texts go in PostgreSQL's binary form: nothing is quoted here and
 * nothing parsed there.
 */
export function encodeList(values: readonly (string | number | null)[]): Buffer | string {
  return values.some((value) => typeof value === 'string')
    ? encodeTexts(values)
    : `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/**
 * One dimension, whether there are nulls, type, length, first index; then the bytes of each text
 * behind their number, -1 for null.
 */
function encodeTexts(values: readonly (string | number | null)[]): Buffer {
  const texts = values.map((value) => (value === null ? null : toStoredText(String(value))));
  const sizes = texts.map((text) => (text === null ? -1 : Buffer.byteLength(text)));
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + 4 + Math.max(0, size), HEAD_BYTES));
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(sizes.includes(-1) ? 1 : 0, 4);
  bytes.writeInt32BE(TEXT, 8);
  bytes.writeInt32BE(texts.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = HEAD_BYTES;
  for (const [index, text] of texts.entries()) {
    at = bytes.writeInt32BE(sizes[index] ?? -1, at);
    if (text !== null) at += bytes.write(text, at, 'utf8');
  }
  return bytes;
}
