import { toStoredText } from './text-codec.js';

const TEXT = 25;

/**
 * A list as a parameter. Its texts go in PostgreSQL's binary form: nothing is quoted here and
 * nothing parsed there.
 */
export function encodeList(values: readonly (string | number | null)[]): Buffer | string {
  return values.some((value) => typeof value === 'string')
    ? encodeTexts(values)
    : `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** Bytes, written as a text of a character each. */
interface Bytes {
  readonly text: string;
  /** Characters of it that are not ASCII. */
  readonly wide: number;
}

/** Whole numbers, of four bytes each. */
function int32s(...values: readonly number[]): Bytes {
  const bytes = values.flatMap((value) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff));
  return { text: String.fromCharCode(...bytes), wide: bytes.filter((byte) => byte > 0x7f).length };
}

/** Nearly all lengths are these, again and again. */
const KNOWN_LENGTHS = 1024;
const lengths = new Map<number, Bytes>();

function lengthOf(text: string): Bytes {
  const known = lengths.get(text.length);
  if (known !== undefined) return known;
  const made = int32s(text.length);
  if (text.length < KNOWN_LENGTHS) lengths.set(text.length, made);
  return made;
}

const NO_TEXT = int32s(-1);

/** One dimension, whether there are nulls, type, length, first index. */
const headOf = (values: readonly unknown[]): Bytes => int32s(1, values.includes(null) ? 1 : 0, TEXT, values.length, 1);

/**
 * The bytes of each text behind their number, -1 for null. Of ASCII, as nearly all is, a character
 * is a byte: the whole list is one text, and becomes bytes at once.
 */
function encodeTexts(values: readonly (string | number | null)[]): Buffer {
  let { text, wide } = headOf(values);
  for (const value of values) {
    const stored = value === null ? null : toStoredText(String(value));
    const length = stored === null ? NO_TEXT : lengthOf(stored);
    text += length.text;
    text += stored ?? '';
    wide += length.wide;
  }
  // As UTF-8 whatever is not ASCII takes more bytes than it has characters.
  return Buffer.byteLength(text) === text.length + wide ? Buffer.from(text, 'latin1') : encodeWide(values);
}

/** The same of texts of any characters. */
function encodeWide(values: readonly (string | number | null)[]): Buffer {
  const pieces = [Buffer.from(headOf(values).text, 'latin1')];
  for (const value of values) {
    const bytes = value === null ? null : Buffer.from(toStoredText(String(value)));
    pieces.push(Buffer.from(int32s(bytes?.length ?? -1).text, 'latin1'));
    if (bytes !== null) pieces.push(bytes);
  }
  return Buffer.concat(pieces);
}
