/**
 * Controls, and characters that take no place, are blank, or change the order of others. One joiner
 * and one variation selector belong to the letter or emoji before: after ASCII, or in a row, they
 * only hide, and a row of selectors has held whole programs.
 */
const UNSEEN = /(?!\r?\n|\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\u2800]/gu;
const BELONGS = /[^\p{ASCII}\p{Cc}\p{Cf}\p{Z}\p{DI}\u2800](?:\ufe0f?[\u200c\u200d]|\p{VS})$/u;
const KEYCAP = /^[#*0-9]\ufe0f\u20e3$/;

/** `at`: where `char` begins. A base is two units at most, with one selector after it. */
const belongs = (text: string, at: number, char: string): boolean =>
  BELONGS.test(text.slice(Math.max(0, at - 3), at + char.length)) || KEYCAP.test(text.slice(at - 1, at + 2));

/**
 * Text of others as a person is to judge it: what a browser would hide or turn round is written
 * out.
 */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (char, at: number) =>
    belongs(text, at, char) ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
