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

/** Four bytes, written as a text of a character each. */
interface Int32 {
  readonly text: string;
  /** Characters of it that are not ASCII. */
  readonly wide: number;
}

function int32(value: number): Int32 {
  const bytes = [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
  return { text: String.fromCharCode(...bytes), wide: bytes.filter((byte) => byte > 0x7f).length };
}

/** Nearly all lengths are these, again and again. */
const KNOWN_LENGTHS = 1024;
const lengths = new Map<number, Int32>();

function lengthOf(text: string): Int32 {
  const known = lengths.get(text.length);
  if (known !== undefined) return known;
  const made = int32(text.length);
  if (text.length < KNOWN_LENGTHS) lengths.set(text.length, made);
  return made;
}

const NO_TEXT = int32(-1);

/** One dimension, whether there are nulls, type, length, first index. */
const headOf = (count: number, hasNull: boolean): readonly Int32[] => [1, hasNull ? 1 : 0, TEXT, count, 1].map(int32);

/**
 * The bytes of each text behind their number, -1 for null. Of ASCII, as nearly all is, a character
 * is a byte: the whole list is one text, and becomes bytes at once.
 */
function encodeTexts(values: readonly (string | number | null)[]): Buffer {
  let text = '';
  let wide = 0;
  for (const { text: head, wide: more } of headOf(values.length, values.includes(null))) {
    text += head;
    wide += more;
  }
  for (const value of values) {
    if (value === null) {
      text += NO_TEXT.text;
      wide += NO_TEXT.wide;
      continue;
    }
    const stored = toStoredText(String(value));
    const length = lengthOf(stored);
    text += length.text;
    text += stored;
    wide += length.wide;
  }
  // As UTF-8 whatever is not ASCII takes more bytes than it has characters.
  return Buffer.byteLength(text) === text.length + wide ? Buffer.from(text, 'latin1') : encodeWide(values);
}

/** The same of texts of any characters. */
function encodeWide(values: readonly (string | number | null)[]): Buffer {
  const pieces = headOf(values.length, values.includes(null)).map(({ text }) => Buffer.from(text, 'latin1'));
  for (const value of values) {
    const bytes = value === null ? null : Buffer.from(toStoredText(String(value)));
    pieces.push(Buffer.from(int32(bytes?.length ?? -1).text, 'latin1'));
    if (bytes !== null) pieces.push(bytes);
  }
  return Buffer.concat(pieces);
}
