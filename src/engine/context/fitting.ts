import { mapTexts } from '../../lib/map-texts.js';
import { middleGone } from '../../prompts/shortened.js';

/**
 * The same value with no more than this part of the characters of its texts: the longest lose
 * them.
 */
export function withPart<T>(value: T, part: number): T {
  if (part >= 1) return value;
  const lengths: number[] = [];
  mapTexts(value, (text) => {
    lengths.push(text.length);
    return text;
  });
  const most = capOf(lengths, part);
  return mapTexts(value, (text) => {
    if (text.length <= most) return text;
    const half = Math.floor(most / 2);
    return `${text.slice(0, half).toWellFormed()}\n${middleGone(text.length)}\n${text.slice(text.length - half).toWellFormed()}`;
  });
}

/** To how many characters each is cut so that all have `part` of what they have. */
export function capOf(lengths: readonly number[], part: number): number {
  let room = part * lengths.reduce((sum, length) => sum + length, 0);
  const rising = lengths.toSorted((a, b) => a - b);
  for (const [at, length] of rising.entries()) {
    const each = room / (rising.length - at);
    if (length > each) return Math.floor(each);
    room -= length;
  }
  return rising.at(-1) ?? 0;
}
