import { RETRIEVE } from './ref.js';

/** Shorter texts have no middle worth a call (docs/design/execution.md#compression). */
const MIN_CHARS = 2500;
const HEAD_CHARS = 1500;
const TAIL_CHARS = 1000;

/**
 * The first 1500 and the last 1000 characters of a longer text, with the call that gives the rest;
 * null = the text is too short.
 */
export function headtail(text: string, ref: string): string | null {
  if (text.length <= MIN_CHARS) return null;
  const head = text.slice(0, wholeAt(text, HEAD_CHARS));
  const tail = text.slice(wholeAt(text, text.length - TAIL_CHARS));
  const missing = text.length - head.length - tail.length;
  const call = `${RETRIEVE} {"ref": "${ref}", "offset": ${head.length}}`;
  return `${head}\n... (${missing} of ${text.length} characters are left out here; ${call} gives them) ...\n${tail}`;
}

/** The place itself, or the one before it where a character of two units would be cut. */
export function wholeAt(text: string, place: number): number {
  const isCut = place > 0 && place < text.length && isHigh(text.charCodeAt(place - 1)) && isLow(text.charCodeAt(place));
  return isCut ? place - 1 : place;
}

const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;
