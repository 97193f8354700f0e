/**
 * Controls, and characters that take no place or change the order of others. Joiners belong to
 * scripts and emoji: after ASCII they only hide.
 */
const UNSEEN = /(?!(?<=[^\p{ASCII}])[\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * The text as one line in which nothing hides: what a terminal or a page would not print is written
 * out. For what people agree to, such as a command line: where it is taken out instead, a part of
 * the line goes with it, for a sequence of a terminal may hold any words.
 */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (char) => SHORT[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);

/** The same of several lines, such as a diff: line breaks and tabs do not hide. */
export const visibleLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => visible(line.replaceAll('\t', '    ')))
    .join('\n');
