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
