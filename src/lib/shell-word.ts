/** A word of a command line to paste: quoted where a POSIX shell would split or expand it. */
export const shellWord = (word: string): string =>
  /^[A-Za-z0-9_./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** An address in place of a directory names a server. */
export const isServerAddress = (word: string): boolean => /^https?:\/\//i.test(word);

/** The server that the environment of this shell names. */
export interface ShellServer {
  readonly inherited: string;
}

/**
 * How a command to paste names its workspace: as the user did; '' = not at all, it is pasted in the
 * directory. The server of the environment is named where the command is somebody else's.
 */
export type PastePlace = string | ShellServer;

/** A server knows by itself who asks, and refuses `--as` of anybody else. */
export const isServerPlace = (place: PastePlace): boolean => typeof place !== 'string' || isServerAddress(place);

/** The word that names the place, with what comes before it; '' where it is not named. */
export const placeWord = (place: PastePlace, before = ' '): string =>
  typeof place !== 'string' || place === '' ? '' : `${before}${shellWord(place)}`;

/**
 * The same in a command that one person sends to another, whose shell does not name the server of
 * this one.
 */
export const sentPlaceWord = (place: PastePlace, before = ' '): string =>
  typeof place === 'string' ? placeWord(place, before) : ` --server ${shellWord(place.inherited)}`;

/** ` --as NAME`; '' at a server. The one place that decides it for every command to paste. */
export const asWord = (identity: string, place: PastePlace): string =>
  isServerPlace(place) ? '' : ` --as ${shellWord(identity)}`;

/**
 * Controls, and characters that take no place, are blank, or change the order of others. One joiner
 * and one variation selector belong to the letter or emoji before: after ASCII, or in a row, they
 * only hide, and a row of selectors has held whole programs.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\u2800]/gu;
const BELONGS = /[^\p{ASCII}\p{Cc}\p{Cf}\p{Z}\p{DI}\u2800](?:\ufe0f?[\u200c\u200d]|\p{VS})$/u;
const KEYCAP = /^[#*0-9]\ufe0f\u20e3$/;

/** `at`: where `char` begins. A base is two units at most, with one selector after it. */
const belongs = (text: string, at: number, char: string): boolean =>
  BELONGS.test(text.slice(Math.max(0, at - 3), at + char.length)) || KEYCAP.test(text.slice(at - 1, at + 2));

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * The text as one line in which nothing hides: what a terminal or a page would not print is written
 * out. For what people agree to, such as a command line: where it is taken out instead, a part of
 * the line goes with it, for a sequence of a terminal may hold any words.
 */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (char, at: number) =>
    belongs(text, at, char) ? char : (SHORT[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`),
  );

/** The same of several lines, such as a diff: line breaks and tabs do not hide. */
export const visibleLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => visible(line.replaceAll('\t', '    ')))
    .join('\n');
