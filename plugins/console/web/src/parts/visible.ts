/**
 * Controls, and characters that take no place or change the order of others. Joiners belong to
 * scripts and emoji: after ASCII they only hide.
 */
const UNSEEN = /(?!\r?\n|\t|(?<=[^\p{ASCII}])[\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Text of others as a person is to judge it: what a browser would hide or turn round is written
 * out.
 */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
